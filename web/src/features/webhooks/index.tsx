/** Webhooks: programs elsewhere are told of what happens here. */
import type { Feature } from '../../lib/feature.ts'

export const webhooksFeature: Feature = {
  name: 'webhooks',
  settings: () => import('./settings/sections.ts').then((module) => module.settings),
}

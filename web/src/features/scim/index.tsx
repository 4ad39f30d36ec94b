/** Tokens with which a directory manages accounts and groups here. */
import type { Feature } from '../../lib/feature.ts'

export const scimFeature: Feature = {
  name: 'scim',
  settings: () => import('./settings/sections.ts').then((module) => module.settings),
}

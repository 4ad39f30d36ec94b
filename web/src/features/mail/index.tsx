/** The server by which mail is sent. */
import type { Feature } from '../../lib/feature.ts'

export const mailFeature: Feature = {
  name: 'mail',
  settings: () => import('./settings/sections.ts').then((module) => module.settings),
}

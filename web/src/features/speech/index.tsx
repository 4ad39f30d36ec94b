/** Voices that read aloud, and who may use speech. */
import type { Feature } from '../../lib/feature.ts'

export const speechFeature: Feature = {
  name: 'speech',
  settings: () => import('./settings/sections.ts').then((module) => module.settings),
}

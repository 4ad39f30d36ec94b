/** The doctor: whether the server and the way to it are well, and what to change where they are not. */
import type { Feature } from '../../lib/feature.ts'

export const doctorFeature: Feature = {
  name: 'doctor',
  settings: () => import('./settings/sections.ts').then((module) => module.settings),
}

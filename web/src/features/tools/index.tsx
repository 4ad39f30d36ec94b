/** Tools that models use: who may have them used, and which run without a question. */
import type { Feature } from '../../lib/feature.ts'

export const toolsFeature: Feature = {
  name: 'tools',
  settings: () => import('./settings/sections.ts').then((module) => module.settings),
}

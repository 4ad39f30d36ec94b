/** The engine that is asked for web pages, and who may ask it. */
import type { Feature } from '../../lib/feature.ts'

export const webSearchFeature: Feature = {
  name: 'web-search',
  settings: () => import('./settings/sections.ts').then((module) => module.settings),
}

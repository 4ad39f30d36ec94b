/** Where models come from: providers, connections to them and their definitions. It knows nothing of chats. */
import type { Feature } from '../../lib/feature.ts'

export const connectionsFeature: Feature = {
  name: 'connections',
  settings: () => import('./settings/sections.ts').then((module) => module.settings),
}

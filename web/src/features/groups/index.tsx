/** Groups of accounts: made, named, filled, deleted. */
import type { Feature } from '../../lib/feature.ts'

export const groupsFeature: Feature = {
  name: 'groups',
  settings: () => import('./settings/sections.ts').then((module) => module.settings),
}

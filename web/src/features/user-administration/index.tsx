/** Accounts as administrators manage them: approved, invited, changed, disabled, deleted. */
import type { Feature } from '../../lib/feature.ts'

export const userAdministrationFeature: Feature = {
  name: 'user-administration',
  settings: () => import('./settings/sections.ts').then((module) => module.settings),
}

/** The archive of all that an account has, and its deletion. */
import type { Feature } from '../../lib/feature.ts'

export const accountDataFeature: Feature = {
  name: 'account-data',
  settings: () => import('./settings/sections.ts').then((module) => module.settings),
}

/** Backups of the instance, for administrators: where they are kept. */
import type { Feature } from '../../lib/feature.ts'

export const recoveryBackupFeature: Feature = {
  name: 'recovery-backup',
  settings: () => import('./settings/sections.ts').then((module) => module.settings),
}

/** The area of backups, as `compose()` creates it. */
import { recoveryBackupArea } from '@atrium/contract/recovery-backup'
import type { Settings } from '../../core/settings/index.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import { createRecoveryBackup } from './index.ts'
import { backupVariables } from './settings.ts'

export const recoveryBackup = defineArea(recoveryBackupArea)<
  { readonly settings: Settings },
  { readonly dataDir: string }
>()({
  needs: ['settings'],
  settings: backupVariables,
  create: (platform, { settings }, variables, options) =>
    createRecoveryBackup({
      ...platform,
      ...options,
      allowAddress: settings.allowAddress,
      folder: variables.BACKUP_FOLDER,
    }),
})

/** The area of backups, as `compose()` creates it. */
import { recoveryBackupArea } from '@atrium/contract/recovery-backup'
import type { Settings } from '../../core/settings/index.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import { scheduleIntervalMs, scheduleJobKind } from './backups.ts'
import { createRecoveryBackup, type RecoveryBackupOptions } from './index.ts'
import { backupMetrics } from './metrics.ts'
import { backupSettings } from './settings.ts'

export const recoveryBackup = defineArea(recoveryBackupArea)<{ readonly settings: Settings }, RecoveryBackupOptions>()({
  needs: ['settings'],
  settings: backupSettings,
  metrics: () => backupMetrics,
  create: (platform, { settings }, { schedule, retention, BACKUP_FOLDER, RECOVERY_DRILL_INTERVAL_HOURS }, options) => ({
    ...createRecoveryBackup({
      ...platform,
      ...options,
      allowAddress: settings.allowAddress,
      folder: BACKUP_FOLDER,
      drillIntervalHours: RECOVERY_DRILL_INTERVAL_HOURS ?? 24,
      schedule,
      retention,
    }),
    every: [[scheduleJobKind, scheduleIntervalMs]],
  }),
})

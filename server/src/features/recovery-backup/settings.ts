/** How often backups are made, and what else the environment says of them. */
import { backupSchedules } from '@atrium/contract/recovery-backup'
import { z } from 'zod'
import { declareVariables, defineSettings, setting } from '../../platform/settings/index.ts'

const schedule = defineSettings(
  {
    schedule: setting(z.enum(backupSchedules), {
      default: 'daily',
      env: 'BACKUP_SCHEDULE',
      about: 'how often backups are made where a destination is named: `off`, `quarter-hourly`, `hourly` or `daily`',
    }),
  },
  { row: 'backup-schedule' },
)

const { BACKUP_FOLDER } = declareVariables({
  BACKUP_FOLDER: [
    z
      .string()
      .trim()
      .max(1000)
      .regex(/^(\/|[A-Za-z]:[\\/])/, 'must be a whole path, from the root on'),
    'a folder in which backups are kept, best on another disk than DATA_DIR; further places are named in the app',
  ],
})

export const backupSettings = { schedule, BACKUP_FOLDER }

export type ScheduleFields = typeof schedule.fields

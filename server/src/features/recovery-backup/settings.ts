/** How often backups are made, and what else the environment says of them. */
import { backupSchedules } from '@atrium/contract/recovery-backup'
import { z } from 'zod'
import { keyVariables, usualRetention } from '../../platform/backups/index.ts'
import { declareVariables, defineSettings, setting, wholeNumber } from '../../platform/settings/index.ts'
import { placeVariables } from '../../platform/backups/destinations/environment.ts'

const schedule = defineSettings(
  {
    schedule: setting(z.enum(backupSchedules), {
      default: 'daily',
      env: 'BACKUP_SCHEDULE',
      about: 'how often to back up, once there is a destination: `off`, `quarter-hourly`, `hourly` or `daily`',
    }),
  },
  { row: 'backup-schedule' },
)

/** While what was saved cannot be read, nothing goes that it might keep. */
const stays = (usual: number, env: string, period: string) =>
  setting(z.number().int().min(0).max(1000), {
    default: usual,
    strictest: 1000,
    env,
    about: `how many ${period} to keep the newest backup of; ${period} without one don’t count`,
  })
const { hourly, daily, weekly, monthly } = usualRetention
const retention = defineSettings(
  {
    hourly: stays(hourly, 'BACKUP_KEEP_HOURLY', 'hours'),
    daily: stays(daily, 'BACKUP_KEEP_DAILY', 'days'),
    weekly: stays(weekly, 'BACKUP_KEEP_WEEKLY', 'weeks'),
    monthly: stays(monthly, 'BACKUP_KEEP_MONTHLY', 'months'),
  },
  { row: 'backup-retention' },
)

const { RECOVERY_DRILL_INTERVAL_HOURS } = declareVariables({
  RECOVERY_DRILL_INTERVAL_HOURS: [
    wholeNumber(0, 8760),
    'hours between restore drills, which restore the newest backup into a scratch database and compare it (default 24; 0: only when you start one)',
  ],
})

export const backupSettings = { schedule, retention, RECOVERY_DRILL_INTERVAL_HOURS, ...placeVariables, ...keyVariables }

export type ScheduleFields = typeof schedule.fields
export type RetentionFields = typeof retention.fields

/** What is told of backups. */
import { defineGauge } from '../../platform/metrics/definition.ts'

export const backupMetrics = {
  backup_last_made_timestamp_seconds: defineGauge(
    'When the last backup was made at every destination, in seconds since 1970; 0 for never',
    { unit: 'seconds' },
  ),
  backup_last_drill_timestamp_seconds: defineGauge(
    'When a restore drill last passed, in seconds since 1970; 0 for never',
    { unit: 'seconds' },
  ),
  backup_last_drill_duration_seconds: defineGauge('How long the last restore drill took', { unit: 'seconds' }),
  backup_last_drill_success: defineGauge('1 where the last restore drill passed, 0 where it failed or there was none'),
  backup_overdue: defineGauge(
    '1 where the last backup is older than two intervals of the schedule and an hour, or none was made for that long; else 0',
  ),
  backup_drill_overdue: defineGauge(
    '1 where backups are made and no restore drill has passed for two of its intervals; else 0',
  ),
  backup_last_bytes: defineGauge('What the last backup takes at a destination', { unit: 'bytes' }),
}

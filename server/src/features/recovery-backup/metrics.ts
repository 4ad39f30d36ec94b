/** What is told of backups. */
import { defineGauge } from '../../platform/metrics/definition.ts'

export const backupMetrics = {
  backup_last_made_timestamp_seconds: defineGauge(
    'When the last backup was made at every destination, in seconds since 1970; 0 for never',
    { unit: 'seconds' },
  ),
  backup_last_bytes: defineGauge('What the last backup takes at a destination', { unit: 'bytes' }),
}

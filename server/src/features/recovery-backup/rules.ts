/** When a backup and a restore drill are due. */
import type { BackupSettings } from '@atrium/contract/recovery-backup'

type Schedule = BackupSettings['schedule']

const minute = 60_000
const hour = 60 * minute
const intervals: Readonly<Record<Exclude<Schedule, 'off'>, number>> = {
  'quarter-hourly': 15 * minute,
  hourly: hour,
  daily: 24 * hour,
}
/** Daily ones are made at three, by the clock of UTC. */
const nightMs = 3 * hour
/** A try that failed is not followed by the next one at once. */
const pauseMs = 30 * minute

/** Of one destination, in milliseconds; `lastMadeAt` and `lastTriedAt` are null for never. */
export interface BackupTimes {
  readonly lastMadeAt: number | null
  readonly lastTriedAt: number | null
}

/** When the next backup is due at a destination, in milliseconds, perhaps in the past; null where none is to be made. */
export const nextBackupAt = (
  schedule: Schedule,
  { lastMadeAt, lastTriedAt }: BackupTimes,
  now: number,
): number | null => {
  if (schedule === 'off') return null
  const interval = intervals[schedule]
  const offset = schedule === 'daily' ? nightMs : 0
  // A time that is still to come was written before the clock was set back.
  const made = lastMadeAt === null || lastMadeAt > now ? 0 : lastMadeAt
  const tried = lastTriedAt === null || lastTriedAt > now ? 0 : lastTriedAt
  const slot = made === 0 ? 0 : (Math.floor((made - offset) / interval) + 1) * interval + offset
  return tried > made ? Math.max(slot, tried + Math.min(pauseMs, interval)) : slot
}

/**
 * Whether the last backup is older than two of its intervals, and an hour. `missingSince`: from when on there is none at all,
 * in milliseconds; null where nobody has looked yet.
 */
export const isOverdue = (
  schedule: Schedule,
  { lastMadeAt, missingSince }: Pick<BackupTimes, 'lastMadeAt'> & { readonly missingSince: number | null },
  now: number,
): boolean => {
  const since = lastMadeAt ?? missingSince
  return schedule !== 'off' && since !== null && now - since > 2 * intervals[schedule] + hour
}

/** Whether a restore drill is due: there is a backup, and the last drill, however it ended, is longer ago than the interval. */
export const drillIsDue = (
  intervalHours: number,
  hasBackup: boolean,
  lastDrillAt: number | null,
  now: number,
): boolean =>
  intervalHours > 0 &&
  hasBackup &&
  (lastDrillAt === null || lastDrillAt > now || now - lastDrillAt >= intervalHours * hour)

/**
 * Whether a destination has had backups for longer than its own turn and one more, and no drill has passed there in that
 * time. `destinations`: how many take turns.
 */
export const isDrillOverdue = (
  intervalHours: number,
  destinations: number,
  { firstMadeAt, lastPassedAt }: { readonly firstMadeAt: number | null; readonly lastPassedAt: number | null },
  now: number,
): boolean => {
  if (firstMadeAt === null) return false
  const since = lastPassedAt ?? firstMadeAt
  return intervalHours > 0 && now - since > (destinations + 1) * intervalHours * hour
}

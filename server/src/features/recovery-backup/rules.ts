/** When a backup is due. */
import type { BackupSettings } from '@atrium/contract/recovery-backup'

type Schedule = BackupSettings['schedule']

const minute = 60_000
const intervals: Readonly<Record<Exclude<Schedule, 'off'>, number>> = {
  'quarter-hourly': 15 * minute,
  hourly: 60 * minute,
  daily: 24 * 60 * minute,
}
/** Daily ones are made at three, by the clock of UTC. */
const nightMs = 3 * 60 * minute
/** A try that failed is not followed by the next one at once. */
const pauseMs = 30 * minute

/** Milliseconds; `lastMadeAt` and `lastTriedAt` are null for never. */
export interface BackupTimes {
  readonly lastMadeAt: number | null
  readonly lastTriedAt: number | null
}

/** When the next backup is due, in milliseconds, perhaps in the past; null where none is to be made. */
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
  return schedule !== 'off' && since !== null && now - since > 2 * intervals[schedule] + 60 * minute
}

/** Whether backups are made for longer than two intervals of drills, and none has passed in that time. */
export const isDrillOverdue = (
  intervalHours: number,
  { firstMadeAt, lastPassedAt }: { readonly firstMadeAt: number | null; readonly lastPassedAt: number | null },
  now: number,
): boolean => {
  const since = lastPassedAt ?? firstMadeAt
  return intervalHours > 0 && since !== null && now - since > 2 * intervalHours * 60 * minute
}

/** Whether a restore drill is due: there is a backup, and the last drill, however it ended, is longer ago than the interval. */
export const drillIsDue = (
  intervalHours: number,
  lastMadeAt: number | null,
  lastDrillAt: number | null,
  now: number,
): boolean =>
  intervalHours > 0 &&
  lastMadeAt !== null &&
  (lastDrillAt === null || lastDrillAt > now || now - lastDrillAt >= intervalHours * 60 * minute)

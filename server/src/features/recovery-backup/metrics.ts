/** What is told of backups. */
import type { BackupSettings } from '@atrium/contract/recovery-backup'
import { defineGauge } from '../../platform/metrics/definition.ts'
import type { Platform } from '../../platform/platform.ts'
import type { RestoreDrills } from './drills.ts'
import { isDrillOverdue, isOverdue } from './rules.ts'
import type { BackupState, PlaceState } from './state.ts'

export const backupMetrics = {
  backup_last_made_timestamp_seconds: defineGauge(
    'Unix time of the last backup, at the destination where it is oldest; 0 if never',
    { unit: 'seconds' },
  ),
  backup_overdue: defineGauge(
    '1 if the last backup at a destination is older than two schedule intervals plus an hour, or none was made for that long; otherwise 0',
  ),
  backup_last_drill_timestamp_seconds: defineGauge('Unix time at which a restore drill last passed, 0 if never', {
    unit: 'seconds',
  }),
  backup_last_drill_duration_seconds: defineGauge('Duration of the last restore drill', { unit: 'seconds' }),
  backup_last_drill_success: defineGauge(
    '1 if the last restore drill of every destination that had one passed, 0 if one failed or there was none',
  ),
  backup_drill_overdue: defineGauge(
    '1 if a destination has backups but no restore drill has passed there within two turns, otherwise 0',
  ),
  backup_last_bytes: defineGauge('Size of the last backup at a destination', { unit: 'bytes' }),
}

interface Known {
  readonly places: () => Promise<readonly (PlaceState & { readonly id: string })[]>
  readonly drills: RestoreDrills['read']
  readonly withoutSince: BackupState['withoutSince']
  readonly schedule: () => Promise<BackupSettings['schedule']>
  readonly drillIntervalHours: number
  readonly now: () => number
}

/** Tells how things are, of all destinations together, whenever somebody asks. */
export const recordBackups = (metrics: Platform['metrics'], by: Known): void => {
  const figures = metrics?.bind(backupMetrics)
  metrics?.onScrape(async () => {
    const [schedule, withoutSince, read, now] = [
      await by.schedule(),
      await by.withoutSince(),
      await by.drills(),
      by.now(),
    ]
    const known = (await by.places()).map((place) => ({ ...place, ...read(place.id) }))
    const made = known.map(({ lastMadeAt }) => lastMadeAt ?? 0)
    const passed = known.flatMap((one) => one.passed?.finishedAt ?? [])
    const ran = known.flatMap(({ drill }) => drill ?? []).toSorted((a, b) => b.finishedAt - a.finishedAt)
    const [newest] = ran
    const times = known.length > 0 ? known : [{ lastMadeAt: null, missingSince: withoutSince }]
    const isDrillLate = ({ firstMadeAt, passed }: (typeof known)[number]): boolean => {
      const since = { firstMadeAt, lastPassedAt: passed?.finishedAt ?? null }
      return isDrillOverdue(by.drillIntervalHours, known.length, since, now)
    }
    figures?.backup_last_made_timestamp_seconds({}, made.length === 0 ? 0 : Math.min(...made) / 1000)
    figures?.backup_overdue({}, times.some((one) => isOverdue(schedule, one, now)) ? 1 : 0)
    figures?.backup_last_bytes({}, Math.max(0, ...known.map(({ lastBytes }) => lastBytes)))
    figures?.backup_last_drill_timestamp_seconds({}, Math.max(0, ...passed) / 1000)
    figures?.backup_last_drill_duration_seconds({}, newest ? (newest.finishedAt - newest.startedAt) / 1000 : 0)
    figures?.backup_last_drill_success({}, newest && ran.every(({ error }) => error === null) ? 1 : 0)
    figures?.backup_drill_overdue({}, known.some(isDrillLate) ? 1 : 0)
  })
}

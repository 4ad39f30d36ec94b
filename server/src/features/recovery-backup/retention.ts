/** Which backups stay: the policy, what would go by another one, and taking away what goes. */
import type { BackupRetention, BackupRetentionPreview } from '@atrium/contract/recovery-backup'
import { isKnownFailure, pruneBackups } from '../../platform/backups/index.ts'
import type { Destination } from '../../platform/backups/destinations/destination.ts'
import type { Platform } from '../../platform/platform.ts'
import type { BoundSettings } from '../../platform/settings/index.ts'
import type { Destinations } from './destinations.ts'
import type { RestoreDrills } from './drills.ts'
import { inTime } from './in-time.ts'
import type { Keys } from './keys.ts'
import type { RetentionFields } from './settings.ts'

export interface RetentionDeps extends Pick<Platform, 'clock' | 'log'> {
  readonly retention: BoundSettings<RetentionFields>
  readonly destinations: Destinations
  readonly keys: Keys
  readonly lastPassed: RestoreDrills['lastPassed']
}

/** Less than a proxy waits for an answer. */
const previewMs = 20_000

export const createRetention = ({ clock, log, retention, destinations, keys, lastPassed }: RetentionDeps) => {
  const apply = async (
    place: { readonly id: string; readonly destination: Destination },
    policy: BackupRetention,
    options: { readonly dryRun: boolean; readonly signal: AbortSignal },
  ) => {
    const own = await keys.keys()
    if (!own) return { backups: [], freedBytes: 0, locked: 0 }
    const proved = (await lastPassed(place.id))?.backupId ?? undefined
    return await pruneBackups(place.destination, own, policy, { ...options, now: clock.now(), proved })
  }
  const read = async () => {
    const { hourly, daily, weekly, monthly } = await retention.read()
    return {
      policy: { hourly: hourly.value, daily: daily.value, weekly: weekly.value, monthly: monthly.value },
      sources: { hourly: hourly.source, daily: daily.source, weekly: weekly.source, monthly: monthly.source },
    }
  }
  return {
    read,
    async change(wish: Partial<BackupRetention>) {
      await retention.change(wish)
      return await read()
    },
    /** A destination that cannot be read in time is among the problems: once it can be, backups go there as well. */
    async preview(policy: BackupRetention, signal: AbortSignal): Promise<BackupRetentionPreview> {
      const items: BackupRetentionPreview['items'] = []
      const problems: BackupRetentionPreview['problems'] = []
      const look = async (place: Awaited<ReturnType<Destinations['openAll']>>[number]): Promise<void> => {
        try {
          const { backups } = await inTime(previewMs, signal, (either) =>
            apply(place, policy, { dryRun: true, signal: either }),
          )
          for (const { id, createdAt, reasons } of backups)
            if (reasons.length === 0 && createdAt !== null)
              items.push({ destinationId: place.id, id, createdAt: new Date(createdAt).toISOString() })
        } catch (error) {
          if (!isKnownFailure(error)) throw error
          problems.push({ destinationId: place.id, detail: error.message })
        }
      }
      await Promise.all((await destinations.openAll()).map(look))
      return { items: items.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt)), problems }
    },
    /** After a backup, also one that failed. What cannot be taken away now is tried again after the next one. */
    async prune(place: { readonly id: string; readonly destination: Destination }, signal: AbortSignal): Promise<void> {
      try {
        const { backups, freedBytes } = await apply(place, (await read()).policy, { dryRun: false, signal })
        const removed = backups.filter(({ reasons }) => reasons.length === 0).length
        if (removed > 0 || freedBytes > 0) log.info('old backups were taken away', { removed, freedBytes })
      } catch (error) {
        if (signal.aborted) throw error
        log[isKnownFailure(error) ? 'warn' : 'error']('old backups were not taken away', { error })
      }
    },
  }
}
export type Retention = ReturnType<typeof createRetention>

/**
 * Backups of the instance: where they are kept, when they are made, and what opens them. How a backup is made is
 * `platform/backups`. It never tells the secret of a destination, and a recovery key only once.
 */
import type { recoveryBackupRoutes } from '@atrium/contract/recovery-backup'
import type { FirstRestorer } from '../../platform/backups/first-restore.ts'
import type { OperatorWishes } from '../../platform/backups/index.ts'
import type { DiagnosticCheck } from '../../platform/diagnostics/checks.ts'
import type { Handlers } from '../../platform/http/area.ts'
import type { Platform } from '../../platform/platform.ts'
import type { BoundSettings } from '../../platform/settings/index.ts'
import { createBackupList } from './backup-list.ts'
import { type BackupsDeps, createBackups } from './backups.ts'
import {
  ageCheck,
  destinationsCheck,
  drillCheck,
  firstBackupCheck,
  keyCheck,
  noDestinationCheck,
  pauseCheck,
} from './checks.ts'
import { createDestinations, type DestinationsDeps } from './destinations.ts'
import { createDrills, type DrillsDeps } from './drills.ts'
import { type FirstRestoreDeps, firstRestoreHandlers } from './first-restore.ts'
import { createKeys } from './keys.ts'
import { recordBackups } from './metrics.ts'
import { createRetention, type RetentionDeps } from './retention.ts'
import type { ScheduleFields } from './settings.ts'
import { createBackupState } from './state.ts'

/** What the process gives. */
export type RecoveryBackupOptions = Pick<DestinationsDeps, 'dataDir'> &
  Pick<BackupsDeps, 'source'> &
  Pick<DrillsDeps, 'migrations' | 'sealed'> & { readonly firstRestorer: FirstRestorer | null }

export interface RecoveryBackupDeps
  extends DestinationsDeps,
    Omit<BackupsDeps, 'beginDueDrill' | 'destinations' | 'isDamaged' | 'keys' | 'prune' | 'schedule' | 'state'>,
    Pick<DrillsDeps, 'migrations' | 'sealed'>,
    Pick<RetentionDeps, 'retention'>,
    Pick<FirstRestoreDeps, 'hasUsers'>,
    Pick<Platform, 'metrics' | 'pause' | 'vault'> {
  readonly firstRestorer: FirstRestorer | null
  readonly schedule: BoundSettings<ScheduleFields>
  readonly wishes: OperatorWishes
  /** 0: no drill begins by itself. */
  readonly drillIntervalHours: number
}

export const createRecoveryBackup = (deps: RecoveryBackupDeps) => {
  const destinations = createDestinations(deps)
  const { instanceKey, previousKey } = deps.source
  const formerKeys = async () => [...(await deps.vault.formerKeys()), ...(previousKey ? [previousKey] : [])]
  const keys = createKeys({ ...deps, instanceKey, formerKeys, openAll: destinations.openAll })
  const readSchedule = async () => (await deps.schedule.values()).schedule
  const state = createBackupState(deps)
  const drills = createDrills({
    ...deps,
    destinations,
    keys,
    state,
    instanceKey,
    instance: deps.source.database,
    intervalHours: deps.drillIntervalHours,
  })
  const retention = createRetention({ ...deps, destinations, keys, lastPassed: drills.lastPassed })
  const backups = createBackups({
    ...deps,
    destinations,
    keys,
    state,
    schedule: readSchedule,
    isDamaged: drills.isDamaged,
    beginDueDrill: drills.beginDue,
    prune: retention.prune,
  })
  const backupList = createBackupList({ destinations, keys })
  const places = async () => {
    const read = await state.read()
    return (await destinations.openAll()).map(({ id, name }) => ({ id, name, ...read(id) }))
  }
  recordBackups(deps.metrics, {
    places,
    drills: drills.read,
    withoutSince: state.withoutSince,
    schedule: readSchedule,
    drillIntervalHours: deps.drillIntervalHours,
    now: deps.clock.now,
  })
  const settings = async () => {
    const { schedule } = await deps.schedule.read()
    return { schedule: schedule.value, source: schedule.source }
  }

  const readPause = async () => {
    const since = await deps.pause.since()
    return { since: since === null ? null : new Date(since).toISOString() }
  }

  /** What is known of a destination holds for the place that it was. */
  const forget = async (id: string): Promise<void> => {
    await state.forget(id)
    await keys.forget(id)
    await drills.forget(id)
  }

  const handlers: Handlers<typeof recoveryBackupRoutes> = {
    ...firstRestoreHandlers({ ...deps, restorer: deps.firstRestorer }),
    pause: readPause,
    async endPause() {
      await deps.pause.end()
      return await readPause()
    },
    destinations: async () => ({ items: await destinations.list() }),
    addDestination: ({ body }) => destinations.add(body),
    async updateDestination({ params: { id }, body }) {
      const before = (await destinations.list()).find((one) => one.id === id)
      const after = await destinations.update(id, body)
      if (JSON.stringify(before?.place) !== JSON.stringify(after.place)) await forget(id)
      return after
    },
    async removeDestination({ params: { id } }) {
      await destinations.remove(id)
      await forget(id)
      return {}
    },
    testDestination: ({ params: { id } }, { signal }) => destinations.test(id, signal),
    settings,
    async updateSettings({ body }) {
      await deps.schedule.change(body)
      return await settings()
    },
    retention: () => retention.read(),
    updateRetention: ({ body }) => retention.change(body),
    previewRetention: ({ body }, { signal }) => retention.preview(body, signal),
    backups: (_, { signal }) => backupList.list(signal),
    backupsState: () => backups.readState(),
    async makeBackup(_, { caller, answerStatus }) {
      answerStatus(202)
      return await backups.make(caller.accountId)
    },
    async removeBackup({ params: { id }, query: { destinationId } }, { signal }) {
      await backupList.remove(destinationId, id, signal)
      return {}
    },
    drills: () => drills.list(),
    async runDrill({ body: { destinationId = null, backupId = null } }, { caller, answerStatus }) {
      answerStatus(202)
      return await drills.begin(caller.accountId, { destinationId, backupId })
    },
    key: () => keys.status(),
    makeKey: () => keys.makeRecoveryKey(),
    confirmKey: ({ body: { group } }) => keys.confirm(group),
  }
  const { now } = deps.clock
  const checks: DiagnosticCheck[] = [
    pauseCheck(deps.pause.since),
    destinationsCheck(destinations.list),
    noDestinationCheck(destinations.count, readSchedule),
    ageCheck({ places, withoutSince: state.withoutSince, schedule: readSchedule, now }),
    firstBackupCheck({ places, schedule: readSchedule }),
    drillCheck({ places, drills: drills.read, intervalHours: deps.drillIntervalHours, now }),
    keyCheck({ status: keys.status, now }),
  ]
  /** Not waited for: a destination may be slow. Where it fails, the next look at the schedule tries it again. */
  const refreshKeys = (): void =>
    void keys.refresh().catch((error: unknown) => deps.log.warn('the keys of backups were not sealed anew', { error }))
  const listening = async (): Promise<void> => {
    if (await keys.isStale()) refreshKeys()
  }
  return { handlers, checks, jobs: { ...backups.jobs, ...drills.jobs }, listening, api: undefined }
}

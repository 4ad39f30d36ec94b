/** Making backups at every destination, by hand and when they are due, and what came of it. */
import type { BackupSettings, BackupsState } from '@atrium/contract/recovery-backup'
import { z } from 'zod'
import { createBackupInThread, isKnownFailure } from '../../platform/backups/index.ts'
import { DestinationFailure } from '../../platform/backups/destinations/destination.ts'
import type { DatabasePlace } from '../../platform/db/copy/index.ts'
import { fail } from '../../platform/http/refusal.ts'
import { JobFailure, type JobContext, defineJob } from '../../platform/jobs/types.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Destinations } from './destinations.ts'
import type { RestoreDrills } from './drills.ts'
import type { Keys } from './keys.ts'
import type { Retention } from './retention.ts'
import { nextBackupAt } from './rules.ts'
import type { BackupState } from './state.ts'

export interface BackupsDeps extends Pick<Platform, 'clock' | 'jobs' | 'log' | 'pause' | 'version'> {
  readonly destinations: Pick<Destinations, 'count' | 'openAll'>
  readonly keys: Keys
  readonly source: {
    readonly database: DatabasePlace
    readonly instanceKey: Buffer
    /** The one before it, while that is replaced. */
    readonly previousKey: Buffer | null
  }
  readonly state: BackupState
  readonly schedule: () => Promise<BackupSettings['schedule']>
  /** Takes away what no longer stays at a destination. */
  readonly prune: Retention['prune']
  /** Whether a drill found damage in what the next backup at a destination would build on. */
  readonly isDamaged: RestoreDrills['isDamaged']
  /** Begins a restore drill where one is due. */
  readonly beginDueDrill: RestoreDrills['beginDue']
}

export const createJobKind = 'recovery-backup.create'
export const scheduleJobKind = 'recovery-backup.schedule'
export const scheduleIntervalMs = 5 * 60_000
const timeoutMs = 12 * 3600_000

export const createBackups = (deps: BackupsDeps) => {
  const { clock, destinations, keys, log, state } = deps

  /** Gives why it was not made, or null. What no longer stays goes either way: a full destination needs it most. */
  const makeAt = async (place: Place, { signal, progress }: JobContext): Promise<string | null> => {
    const { id, destination } = place
    await state.note(id, () => ({ lastTriedAt: clock.now() }))
    try {
      const { wholeAt } = (await state.read())(id)
      const whole = await deps.isDamaged(id, wholeAt)
      const { database, instanceKey } = deps.source
      const own = await keys.require()
      const task = { database, instanceKey, keys: own, appVersion: deps.version, now: clock.now }
      const made = await createBackupInThread({ ...task, destination, whole, signal }, (rows) => progress(rows, null))
      log.info('a backup was made', { id: made.id, sentBytes: made.sentBytes, whole })
      await keys.noteStored(id, own)
      await state.note(id, ({ firstMadeAt }) => ({
        firstMadeAt: firstMadeAt ?? clock.now(),
        lastMadeAt: clock.now(),
        lastBytes: made.storedBytes,
        lastFailure: null,
        missingSince: null,
        ...(whole ? { wholeAt: made.createdAt } : {}),
      }))
    } catch (error) {
      if (signal.aborted) throw error
      if (!isKnownFailure(error)) log.error('a backup was not made', { error })
      const lastFailure = isKnownFailure(error) ? error.message : 'The server could not make it. Its log says why.'
      await state.note(id, () => ({ lastFailure }))
      if (!isAway(error)) await deps.prune(place, signal)
      return lastFailure
    }
    await deps.prune(place, signal)
    return null
  }

  const makeAll = async (places: readonly Place[], context: JobContext): Promise<void> => {
    if (places.length === 0) throw new JobFailure('backup_no_destination', 'No destination is named.')
    const read = await state.read()
    // Where the last one failed, or never came to its end, it may hang: the others come first.
    const mayHang = (id: string): boolean => {
      const { lastTriedAt, lastMadeAt } = read(id)
      return (lastTriedAt ?? 0) > (lastMadeAt ?? 0)
    }
    const inOrder = places.toSorted((a, b) => Number(mayHang(a.id)) - Number(mayHang(b.id)))
    const faults: string[] = []
    for (const place of inOrder) {
      const fault = await makeAt(place, context)
      if (fault !== null) faults.push(`${place.name}: ${fault}`)
    }
    if (faults.length > 0) throw new JobFailure('backup_failed', faults.join(' '))
  }

  const readNext = async (): Promise<(id: string) => number | null> => {
    const [schedule, read] = [await deps.schedule(), await state.read()]
    return (id) => nextBackupAt(schedule, read(id), clock.now())
  }

  return {
    jobs: {
      [createJobKind]: defineJob({
        payload: z.strictObject({}),
        attempts: 1,
        timeoutMs,
        atOnceInAll: 1,
        outward: true,
        run: async (_, context) => await makeAll(await destinations.openAll(), context),
      }),
      [scheduleJobKind]: defineJob({
        payload: z.strictObject({}),
        attempts: 1,
        timeoutMs,
        outward: true,
        async run(_, context) {
          const places = await destinations.openAll()
          await state.see(
            places.map(({ id }) => id),
            (await deps.schedule()) !== 'off',
          )
          await keys.refresh().catch((error: unknown) => {
            log.error('the keys of backups were not sealed anew', { error })
          })
          const nextAt = await readNext()
          const due = places.filter(({ id }) => (nextAt(id) ?? Number.POSITIVE_INFINITY) <= clock.now())
          try {
            if (due.length > 0) await makeAll(due, context)
          } finally {
            // One destination that fails keeps no other from being proved.
            if (!context.signal.aborted) await deps.beginDueDrill()
          }
        },
      }),
    },
    async readState(): Promise<BackupsState> {
      const [places, read, nextAt] = [await destinations.openAll(), await state.read(), await readNext()]
      const known = places.map(({ id, name }) => ({ id, name, ...read(id), nextAt: nextAt(id) }))
      const failed = known.filter(({ lastFailure }) => lastFailure !== null)
      const detail = failed.map(({ name, lastFailure }) => `${name}: ${lastFailure}`).join(' ')
      const nexts = known.flatMap((one) => one.nextAt ?? [])
      return {
        destinations: known.map(({ id, lastMadeAt, lastTriedAt, lastFailure }) => ({
          destinationId: id,
          lastMadeAt: toTime(lastMadeAt),
          lastFailure: lastFailure === null ? null : { at: toTime(lastTriedAt ?? 0), detail: lastFailure },
        })),
        lastMadeAt: toTime(newestOf(known.map(({ lastMadeAt }) => lastMadeAt))),
        lastFailure:
          failed.length === 0
            ? null
            : { at: toTime(newestOf(failed.map(({ lastTriedAt }) => lastTriedAt)) ?? 0), detail },
        nextAt: nexts.length === 0 ? null : toTime(Math.max(Math.min(...nexts), clock.now())),
      }
    },
    async make(accountId: string) {
      if ((await destinations.count()) === 0) throw fail('backup_no_destination')
      // Its job would wait.
      if ((await deps.pause.since()) !== null) throw fail('backup_paused')
      return await deps.jobs.enqueue(createJobKind, {}, { accountId, key: 'backup', keyUntil: 'ended' })
    },
  }
}

type Place = Awaited<ReturnType<Destinations['openAll']>>[number]

const newestOf = (times: readonly (number | null)[]): number | null => {
  const known = times.filter((time) => time !== null)
  return known.length === 0 ? null : Math.max(...known)
}

const toTime = <T extends number | null>(time: T): T extends number ? string : string | null =>
  (time === null ? null : new Date(time).toISOString()) as T extends number ? string : string | null

const isAway = (error: unknown): boolean => error instanceof DestinationFailure && error.kind === 'unreachable'

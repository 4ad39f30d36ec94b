/** Making backups at every destination, by hand and when they are due, and what came of it. */
import type { Backups, BackupSettings } from '@atrium/contract/recovery-backup'
import { z } from 'zod'
import { BackupFailure, createBackupInThread, deleteBackup, listBackups } from '../../platform/backups/index.ts'
import { DestinationFailure } from '../../platform/backups/destinations/destination.ts'
import type { DatabasePlace } from '../../platform/db/copy/index.ts'
import { fail } from '../../platform/http/refusal.ts'
import { JobFailure, type JobContext, defineJob } from '../../platform/jobs/types.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Destinations } from './destinations.ts'
import type { Keys } from './keys.ts'
import type { Retention } from './retention.ts'
import { nextBackupAt } from './rules.ts'

const State = z.object({
  /** Integer milliseconds. */
  lastMadeAt: z.number().nullable().default(null),
  /** Of the first that was made. */
  firstMadeAt: z.number().nullable().default(null),
  /** From when on there is none, though they are to be made. */
  missingSince: z.number().nullable().default(null),
  lastTriedAt: z.number().nullable().default(null),
  lastFailure: z.string().nullable().default(null),
  lastBytes: z.number().default(0),
})

export interface BackupsDeps extends Pick<Platform, 'clock' | 'jobs' | 'log' | 'pause' | 'saved' | 'version'> {
  readonly destinations: Destinations
  readonly keys: Keys
  readonly source: {
    readonly database: DatabasePlace
    readonly instanceKey: Buffer
    /** The one before it, while that is replaced. */
    readonly previousKey: Buffer | null
  }
  readonly schedule: () => Promise<BackupSettings['schedule']>
  /** Takes away what no longer stays at a destination. */
  readonly prune: Retention['prune']
  /** Begins a restore drill where one is due. */
  readonly beginDueDrill: (lastMadeAt: number | null) => Promise<void>
}

export const createJobKind = 'recovery-backup.create'
export const scheduleJobKind = 'recovery-backup.schedule'
export const scheduleIntervalMs = 5 * 60_000
const timeoutMs = 12 * 3600_000

export const createBackups = (deps: BackupsDeps) => {
  const { clock, destinations, keys, log } = deps
  const state = deps.saved.document('backup-state', State)

  const makeAll = async ({ signal, progress }: JobContext): Promise<void> => {
    const places = await destinations.openAll()
    if (places.length === 0) throw new JobFailure('backup_no_destination', 'No destination is named.')
    await state.change((before) => ({ ...before, lastTriedAt: clock.now() }))
    const faults: string[] = []
    let bytes = 0
    try {
      const { database, instanceKey } = deps.source
      const task = {
        database,
        instanceKey,
        keys: await keys.require(),
        appVersion: deps.version,
        now: clock.now,
        signal,
      }
      for (const place of places) {
        const { name, destination } = place
        try {
          const made = await createBackupInThread({ ...task, destination }, (rows) => progress(rows, null))
          bytes = Math.max(bytes, made.storedBytes)
          log.info('a backup was made', { id: made.id, sentBytes: made.sentBytes })
          await deps.prune(place, signal)
        } catch (error) {
          if (!isExpected(error)) throw error
          faults.push(`${name}: ${error.message}`)
        }
      }
    } catch (error) {
      if (signal.aborted) throw error
      if (!isExpected(error)) log.error('a backup was not made', { error })
      faults.push(isExpected(error) ? error.message : 'The server could not make it. Its log says why.')
    }
    const lastFailure = faults.length === 0 ? null : faults.join(' ')
    await state.change((before) => ({
      ...before,
      lastFailure,
      ...(lastFailure === null
        ? {
            lastMadeAt: clock.now(),
            firstMadeAt: before.firstMadeAt ?? clock.now(),
            missingSince: null,
            lastBytes: bytes,
          }
        : {}),
    }))
    if (lastFailure !== null) throw new JobFailure('backup_failed', lastFailure)
  }

  const nextAt = async (): Promise<number | null> => {
    if ((await destinations.count()) === 0) return null
    return nextBackupAt(await deps.schedule(), await state.read(), clock.now())
  }

  /** Remembers from when on there is no backup, though there should be: who has none is told of it as well. */
  const noteMissing = async (): Promise<void> => {
    const { lastMadeAt, missingSince } = await state.read()
    const isMissing = lastMadeAt === null && (await deps.schedule()) !== 'off'
    if (isMissing === (missingSince !== null)) return
    await state.change((before) => ({ ...before, missingSince: isMissing ? clock.now() : null }))
  }

  return {
    state: state.read,
    jobs: {
      [createJobKind]: defineJob({
        payload: z.strictObject({}),
        attempts: 1,
        timeoutMs,
        atOnceInAll: 1,
        outward: true,
        run: (_, context) => makeAll(context),
      }),
      [scheduleJobKind]: defineJob({
        payload: z.strictObject({}),
        attempts: 1,
        timeoutMs,
        outward: true,
        async run(_, context) {
          await noteMissing()
          await keys.refresh()
          const next = await nextAt()
          if (next !== null && next <= clock.now()) await makeAll(context)
          await deps.beginDueDrill((await state.read()).lastMadeAt)
        },
      }),
    },
    async make(accountId: string) {
      if ((await destinations.count()) === 0) throw fail('backup_no_destination')
      // Its job would wait.
      if ((await deps.pause.since()) !== null) throw fail('backup_paused')
      return await deps.jobs.enqueue(createJobKind, {}, { accountId, key: 'backup', keyUntil: 'ended' })
    },
    async list(signal: AbortSignal): Promise<Backups> {
      const own = await keys.keys()
      const { lastMadeAt, lastTriedAt, lastFailure } = await state.read()
      const items: Backups['items'] = []
      const problems: Backups['problems'] = []
      for (const { id: destinationId, destination } of own ? await destinations.openAll() : [])
        try {
          for (const found of own ? await listBackups(destination, own, signal) : [])
            if ('problem' in found) problems.push({ destinationId, id: found.id, detail: found.problem })
            else {
              const { id, createdAt, appVersion, rows, files, storedBytes, sentBytes } = found
              const time = new Date(createdAt).toISOString()
              items.push({ id, destinationId, createdAt: time, appVersion, rows, files, storedBytes, sentBytes })
            }
        } catch (error) {
          if (!isExpected(error)) throw error
          problems.push({ destinationId, id: null, detail: error.message })
        }
      const next = await nextAt()
      return {
        items: items.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt)),
        problems,
        lastMadeAt: lastMadeAt === null ? null : new Date(lastMadeAt).toISOString(),
        lastFailure:
          lastFailure === null ? null : { at: new Date(lastTriedAt ?? 0).toISOString(), detail: lastFailure },
        nextAt: next === null ? null : new Date(Math.max(next, clock.now())).toISOString(),
      }
    },
    async remove(destinationId: string, id: string, signal: AbortSignal): Promise<void> {
      const place = (await destinations.openAll()).find((one) => one.id === destinationId)
      if (!place) throw fail('backup_destination_not_found')
      const own = await keys.keys()
      try {
        const known = own ? await listBackups(place.destination, own, signal) : []
        if (!own || !known.some((one) => one.id === id)) throw fail('backup_not_found')
        await deleteBackup(place.destination, own, id)
      } catch (error) {
        if (!isExpected(error)) throw error
        throw fail('backup_failed', error.message)
      }
    },
  }
}

const isExpected = (error: unknown): error is Error =>
  error instanceof BackupFailure || error instanceof DestinationFailure

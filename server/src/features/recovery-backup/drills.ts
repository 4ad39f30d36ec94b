/** Restore drills: a backup comes back in a scratch database, in a process that can reach nothing else, and is gone through. */
import { randomUUID } from 'node:crypto'
import { readdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Drills } from '@atrium/contract/recovery-backup'
import { z } from 'zod'
import { BackupFailure, listBackups, type ProofOptions, proveBackup } from '../../platform/backups/index.ts'
import { DestinationFailure } from '../../platform/backups/destinations/destination.ts'
import type { Migration } from '../../platform/db/index.ts'
import { fail } from '../../platform/http/refusal.ts'
import { defineJob, type JobContext, JobFailure } from '../../platform/jobs/types.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Destinations } from './destinations.ts'
import type { Keys } from './keys.ts'
import { drillIsDue } from './rules.ts'

/** Times in milliseconds. */
const Kept = z.strictObject({
  id: z.string(),
  origin: z.enum(['scheduled', 'manual']),
  startedAt: z.number(),
  finishedAt: z.number(),
  destinationId: z.string(),
  destinationName: z.string(),
  backupId: z.string().nullable(),
  backupCreatedAt: z.number().nullable(),
  tables: z.number().nullable(),
  rows: z.number().nullable(),
  /** null: from before they were counted. */
  values: z.number().nullable().default(null),
  searches: z.number().nullable().default(null),
  storedBytes: z.number().nullable(),
  verifyMs: z.number().nullable(),
  restoreMs: z.number().nullable(),
  /** null: it passed. */
  error: z.string().nullable(),
})
type Kept = z.infer<typeof Kept>
const Document = z.object({ drills: z.array(Kept).default([]) })
const mostKept = 50

const Wish = z.strictObject({
  origin: z.enum(['scheduled', 'manual']),
  destinationId: z.string().nullable(),
  backupId: z.string().nullable(),
})
type Wish = z.infer<typeof Wish>

export const drillJobKind = 'recovery-backup.drill'

export interface DrillsDeps extends Pick<Platform, 'clock' | 'jobs' | 'log' | 'saved'> {
  readonly destinations: Destinations
  readonly keys: Keys
  readonly instanceKey: Buffer
  readonly migrations: readonly Migration[]
  readonly sealed: ProofOptions['sealed']
  /** Where the instance is. */
  readonly instance: ProofOptions['instance']
  readonly dataDir: string
  /** Hours between drills; 0: none begins by itself. */
  readonly intervalHours: number
}

export const createDrills = (deps: DrillsDeps) => {
  const { clock, destinations, keys, log, intervalHours } = deps
  const document = deps.saved.document('recovery-drills', Document)
  const scratchFolder = join(deps.dataDir, 'scratch')

  /** The destination that was wished for, or the one whose last drill is the longest ago. */
  const chooseDestination = async ({ destinationId }: Wish) => {
    const places = await destinations.openAll()
    const { drills } = await document.read()
    const lastOf = (id: string) => drills.find((drill) => drill.destinationId === id)?.startedAt ?? 0
    const [oldest] = places.toSorted((a, b) => lastOf(a.id) - lastOf(b.id))
    const place = destinationId === null ? oldest : places.find(({ id }) => id === destinationId)
    if (!place) throw new JobFailure('backup_no_destination', 'Destination any more not found.')
    return place
  }

  const run = async (wish: Wish, { signal, progress }: JobContext): Promise<void> => {
    const { destination, ...place } = await chooseDestination(wish)
    const startedAt = clock.now()
    const nothing = { backupCreatedAt: null, tables: null, rows: null, values: null, searches: null }
    const untimed = { storedBytes: null, verifyMs: null, restoreMs: null }
    let outcome: Omit<Kept, 'id' | 'origin' | 'startedAt' | 'finishedAt' | 'destinationId' | 'destinationName'>
    try {
      await removeLeftovers(scratchFolder, startedAt)
      const own = await keys.keys()
      const known = own ? await listBackups(destination, own, signal) : []
      const id = wish.backupId ?? known.find((one) => !('problem' in one))?.id
      const found = known.find((one) => one.id === id)
      if (!own || !found) throw new BackupFailure('missing', 'There are no backups at this destination.')
      const {
        id: backupId,
        createdAt: backupCreatedAt,
        dialect: _dialect,
        ...figures
      } = await proveBackup({
        destination,
        keys: own,
        id: found.id,
        instanceKey: deps.instanceKey,
        migrations: deps.migrations,
        sealed: deps.sealed,
        instance: deps.instance,
        scratchFolder,
        requireRoom: (storedBytes) => requireRoom(deps.dataDir, storedBytes),
        signal,
        onProgress: (rows) => progress(rows, null),
      })
      outcome = { backupId, backupCreatedAt, ...figures, error: null }
    } catch (error) {
      if (signal.aborted) throw error
      const isExpected = error instanceof BackupFailure || error instanceof DestinationFailure
      if (!isExpected) log.error('a restore drill did not end', { error })
      const detail = isExpected ? error.message : 'The server could not do it. Its log says why.'
      outcome = { ...nothing, ...untimed, backupId: wish.backupId, error: detail }
    }
    const { id: destinationId, name: destinationName } = place
    const about = { id: randomUUID(), origin: wish.origin, destinationId, destinationName }
    const drill = { ...about, startedAt, finishedAt: clock.now(), ...outcome }
    await document.change(({ drills }) => ({ drills: [drill, ...drills].slice(0, mostKept) }))
    if (drill.error !== null) throw new JobFailure('drill_failed', drill.error)
  }

  const enqueue = (wish: Wish, accountId: string | null) =>
    deps.jobs.enqueue(drillJobKind, wish, {
      accountId,
      key: `drill ${wish.destinationId ?? ''} ${wish.backupId ?? ''}`,
      keyUntil: 'ended',
    })

  /** The newest of all, and the newest that passed. */
  const last = async () => {
    const { drills } = await document.read()
    return { drill: drills[0] ?? null, passed: drills.find(({ error }) => error === null) ?? null }
  }

  return {
    last,
    /** Of one destination. */
    async lastPassed(destinationId: string): Promise<Kept | null> {
      const { drills } = await document.read()
      return drills.find((drill) => drill.destinationId === destinationId && drill.error === null) ?? null
    },
    jobs: {
      [drillJobKind]: defineJob({ payload: Wish, attempts: 2, timeoutMs: 12 * 3600_000, atOnceInAll: 1, run }),
    },
    /** Begins one where the last is longer ago than the interval, and there is something to restore. */
    async beginDue(lastMadeAt: number | null): Promise<void> {
      const { drill } = await last()
      if (!drillIsDue(intervalHours, lastMadeAt, drill?.finishedAt ?? null, clock.now())) return
      await enqueue({ origin: 'scheduled', destinationId: null, backupId: null }, null)
    },
    async begin(accountId: string, wish: Omit<Wish, 'origin'>) {
      const places = await destinations.list()
      if (places.length === 0) throw fail('backup_no_destination')
      if (wish.destinationId !== null && !places.some(({ id }) => id === wish.destinationId))
        throw fail('backup_destination_not_found')
      return await enqueue({ origin: 'manual', ...wish }, accountId)
    },
    async list(): Promise<Drills> {
      const { drills } = await document.read()
      return { items: drills.map(toDrill), intervalHours: intervalHours === 0 ? null : intervalHours }
    },
  }
}
export type RestoreDrills = ReturnType<typeof createDrills>

const toDrill = ({ startedAt, finishedAt, backupCreatedAt, ...drill }: Kept): Drills['items'][number] => ({
  ...drill,
  status: drill.error === null ? 'passed' : 'failed',
  startedAt: new Date(startedAt).toISOString(),
  finishedAt: new Date(finishedAt).toISOString(),
  rpoSeconds: backupCreatedAt === null ? null : Math.max(0, Math.round((startedAt - backupCreatedAt) / 1000)),
})

const dayMs = 24 * 3600_000

/** What a process left that was killed in a drill. */
const removeLeftovers = async (folder: string, now: number): Promise<void> => {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  for (const name of names) {
    const path = join(folder, name)
    const { mtimeMs } = await stat(path)
    if (now - mtimeMs > dayMs) await rm(path, { recursive: true, force: true })
  }
}

/** Chunks are compressed: restored, they take a few times as much. The data of the instance must keep its room. */
const requireRoom = async (folder: string, storedBytes: number): Promise<void> => {
  const { bavail, bsize } = await statfs(folder)
  const needed = storedBytes * 4 + 256 * 1024 ** 2
  if (bavail * bsize < needed)
    throw new BackupFailure(
      'missing',
      `There is no room for a drill: it wants up to ${Math.ceil(needed / 1024 ** 2)} MiB beside the data.`,
    )
}

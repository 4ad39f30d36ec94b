/** Restore drills: a backup comes back in a scratch database, in a process that can reach nothing else, and is gone through. */
import { randomUUID } from 'node:crypto'
import { readdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Drills } from '@atrium/contract/recovery-backup'
import { z } from 'zod'
import {
  BackupFailure,
  type BackupFailureCode,
  isKnownFailure,
  listBackups,
  type ProofOptions,
  proveBackup,
} from '../../platform/backups/index.ts'
import type { Migration } from '../../platform/db/index.ts'
import { fail } from '../../platform/http/refusal.ts'
import { defineJob, type JobContext, JobFailure } from '../../platform/jobs/types.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Destinations } from './destinations.ts'
import type { Keys } from './keys.ts'
import { drillIsDue } from './rules.ts'
import type { BackupState } from './state.ts'

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
  /** The backup itself is at fault: a pack of it is damaged, gone or another one. */
  damaged: z.boolean().default(false),
  /** The destination is gone, or is another place by now: it tells nothing of what is there. */
  elsewhere: z.boolean().default(false),
})
type Kept = z.infer<typeof Kept>
const Document = z.object({ drills: z.array(Kept).default([]) })
const mostListed = 50

const Wish = z.strictObject({
  origin: z.enum(['scheduled', 'manual']),
  destinationId: z.string().nullable(),
  backupId: z.string().nullable(),
})
type Wish = z.infer<typeof Wish>

export const drillJobKind = 'recovery-backup.drill'

export interface DrillsDeps extends Pick<Platform, 'clock' | 'jobs' | 'log' | 'saved'> {
  readonly destinations: Pick<Destinations, 'openAll'>
  readonly keys: Keys
  readonly state: Pick<BackupState, 'read'>
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
  const { clock, destinations, keys, log, state, intervalHours } = deps
  const document = deps.saved.document('recovery-drills', Document)
  const scratchFolder = join(deps.dataDir, 'scratch')

  /** The destination that was wished for, or of those with a backup the one whose last drill is the longest ago. */
  const chooseDestination = async ({ destinationId }: Wish) => {
    const places = await destinations.openAll()
    const { drills } = await document.read()
    const read = await state.read()
    const lastOf = (id: string) => drills.find(isOf(id))?.startedAt ?? 0
    const isEmpty = (id: string) => Number(read(id).lastMadeAt === null)
    const [first] = places.toSorted((a, b) => isEmpty(a.id) - isEmpty(b.id) || lastOf(a.id) - lastOf(b.id))
    const place = destinationId === null ? first : places.find(({ id }) => id === destinationId)
    if (!place) throw new JobFailure('backup_no_destination', 'This destination no longer exists.')
    return place
  }

  const run = async (wish: Wish, { signal, progress }: JobContext): Promise<void> => {
    const { destination, ...place } = await chooseDestination(wish)
    const startedAt = clock.now()
    const nothing = { tables: null, rows: null, values: null, searches: null }
    const untimed = { storedBytes: null, verifyMs: null, restoreMs: null }
    /** Which backup it is about, once that is known. */
    let about: Pick<Kept, 'backupId' | 'backupCreatedAt'> = { backupId: wish.backupId, backupCreatedAt: null }
    let outcome: Omit<
      Kept,
      'id' | 'origin' | 'startedAt' | 'finishedAt' | 'destinationId' | 'destinationName' | 'elsewhere'
    >
    try {
      await removeLeftovers(scratchFolder, startedAt)
      const own = await keys.keys()
      const known = own ? await listBackups(destination, own, signal) : []
      // The newest one, also where it cannot be read: an older one in its place would pass for it.
      const found = wish.backupId === null ? known[0] : known.find(({ id }) => id === wish.backupId)
      if (!own || !found) throw new BackupFailure('refused', 'There are no backups at this destination.')
      about = { backupId: found.id, backupCreatedAt: null }
      if ('problem' in found) throw new BackupFailure('refused', found.problem)
      about = { backupId: found.id, backupCreatedAt: found.createdAt }
      const {
        id: _id,
        createdAt: _createdAt,
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
      outcome = { ...about, ...figures, error: null, damaged: false }
    } catch (error) {
      if (signal.aborted) throw error
      const isKnown = isKnownFailure(error)
      if (!isKnown) log.error('a restore drill did not end', { error })
      const detail = isKnown ? error.message : 'Something went wrong on the server. See its log.'
      const damaged = error instanceof BackupFailure && damageCodes.has(error.code)
      outcome = { ...nothing, ...untimed, ...about, error: detail, damaged }
    }
    const { id: destinationId, name: destinationName } = place
    const drill = {
      id: randomUUID(),
      origin: wish.origin,
      destinationId,
      destinationName,
      startedAt,
      finishedAt: clock.now(),
      elsewhere: false,
      ...outcome,
    }
    await document.change(({ drills }) => ({ drills: keepOf([drill, ...drills]) }))
    if (drill.error !== null) throw new JobFailure('drill_failed', drill.error)
  }

  const enqueue = (wish: Wish, accountId: string | null) =>
    deps.jobs.enqueue(drillJobKind, wish, {
      accountId,
      key: `drill ${wish.destinationId ?? ''} ${wish.backupId ?? ''}`,
      keyUntil: 'ended',
    })

  const newestAt = (drills: readonly Kept[], destinationId: string) => {
    const here = drills.filter(isOf(destinationId))
    return { drill: here[0] ?? null, passed: here.find(({ error }) => error === null) ?? null }
  }

  return {
    /** Gives the newest of a destination, and the newest that passed there. */
    async read(): Promise<(destinationId: string) => { drill: Kept | null; passed: Kept | null }> {
      const { drills } = await document.read()
      return (id) => newestAt(drills, id)
    },
    /** Of one destination. */
    lastPassed: async (id: string): Promise<Kept | null> => newestAt((await document.read()).drills, id).passed,
    /**
     * Whether a drill found damage at a destination that the next backup would build on: in a backup since `wholeAt`
     * (milliseconds), when everything was sent for the last time, with none of it or later that passed after that.
     */
    async isDamaged(destinationId: string, wholeAt: number | null): Promise<boolean> {
      const { drills } = await document.read()
      let proved = wholeAt === null ? -1 : wholeAt - 1
      for (const drill of drills.filter(isOf(destinationId))) {
        const of = drill.backupCreatedAt ?? -1
        if (drill.damaged && of > proved) return true
        if (drill.error === null) proved = Math.max(proved, of)
      }
      return false
    },
    /** For a destination that is gone, or is another place from now on; its drills stay listed. */
    async forget(destinationId: string): Promise<void> {
      const { drills: known } = await document.read()
      if (!known.some(isOf(destinationId))) return
      await document.change(({ drills }) => ({
        drills: drills.map((one) => (isOf(destinationId)(one) ? { ...one, elsewhere: true } : one)),
      }))
    },
    jobs: {
      [drillJobKind]: defineJob({ payload: Wish, attempts: 2, timeoutMs: 12 * 3600_000, atOnceInAll: 1, run }),
    },
    /** Begins one where the last is longer ago than the interval, and there is something to restore. */
    async beginDue(): Promise<void> {
      const [last] = (await document.read()).drills
      const read = await state.read()
      const hasBackup = (await destinations.openAll()).some(({ id }) => read(id).lastMadeAt !== null)
      if (!drillIsDue(intervalHours, hasBackup, last?.finishedAt ?? null, clock.now())) return
      await enqueue({ origin: 'scheduled', destinationId: null, backupId: null }, null)
    },
    async begin(accountId: string, wish: Omit<Wish, 'origin'>) {
      const places = await destinations.openAll()
      if (places.length === 0) throw fail('backup_no_destination')
      if (wish.destinationId !== null && !places.some(({ id }) => id === wish.destinationId))
        throw fail('backup_destination_not_found')
      return await enqueue({ origin: 'manual', ...wish }, accountId)
    },
    async list(): Promise<Drills> {
      const { drills } = await document.read()
      return {
        items: drills.slice(0, mostListed).map(toDrill),
        intervalHours: intervalHours === 0 ? null : intervalHours,
      }
    },
  }
}
export type RestoreDrills = ReturnType<typeof createDrills>

/** Whether a drill tells of what is at a destination. */
const isOf =
  (id: string) =>
  ({ destinationId, elsewhere }: Kept): boolean =>
    destinationId === id && !elsewhere

/** What shows that the bytes at a destination are at fault, and not the way to them or the wish. */
const damageCodes: ReadonlySet<BackupFailureCode> = new Set(['damaged', 'missing', 'different'])

/** As many as are listed, and of each destination the newest that passed: what that one proved stays there. */
const keepOf = (drills: readonly Kept[]): Kept[] => {
  const known = new Set<string>()
  return drills.filter(({ destinationId, elsewhere, error }, at) => {
    const isNewestPassed = error === null && !elsewhere && !known.has(destinationId)
    if (isNewestPassed) known.add(destinationId)
    return at < mostListed || isNewestPassed
  })
}

const toDrill = ({
  startedAt,
  finishedAt,
  backupCreatedAt,
  damaged: _damaged,
  elsewhere: _elsewhere,
  ...drill
}: Kept): Drills['items'][number] => ({
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
      'refused',
      `Not enough space for a drill: it needs up to ${Math.ceil(needed / 1024 ** 2)} MiB next to the data.`,
    )
}

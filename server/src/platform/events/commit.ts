/** Group commit: what all streams of this process appended becomes one transaction, some ten times a second. */
import { setImmediate as breathe } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import { DatabaseError } from '../db/errors.ts'
import type { Database } from '../db/types.ts'
import type { Log } from '../log/log.ts'
import type { Keyring, Vault } from '../vault/types.ts'
import { sealBatches } from './codec.ts'
import type { PreparedBatches, LocalStream } from './hub.ts'
import type { EventRecorder } from './metrics.ts'
import type { EventStore } from './store.ts'
import type { StreamRow } from './tables.ts'

interface Parts {
  readonly database: Database
  readonly store: EventStore
  readonly vault: Vault
  readonly clock: Clock
  readonly log: Log
  readonly windowMs: number
  readonly recorder: EventRecorder | null
  /** Called after a commit with the streams in it. */
  readonly committed: (sources: readonly LocalStream[]) => void
}

/** After so many failed tries in a row, those who wait for a commit are told. */
const patience = 3
const longestPauseMs = 5000
/** Milliseconds of sealing after which the event loop gets its turn. */
const sliceMs = 3

export type Committer = ReturnType<typeof createCommitter>

export const createCommitter = ({ database, store, vault, clock, log, windowMs, recorder, committed }: Parts) => {
  const dirty = new Set<LocalStream>()
  const urgent = new Set<LocalStream>()
  let timer: NodeJS.Timeout | null = null
  let due = false
  let failedRounds = 0
  let running: Promise<void> | null = null
  let stopped = false

  const arm = (delayMs: number): void => {
    if (stopped) return
    timer ??= setTimeout(() => {
      timer = null
      due = true
      run()
    }, delayMs)
  }

  const run = (): void => {
    running ??= rounds().finally(() => {
      running = null
      if (due || urgent.size > 0) run()
    })
  }

  const rounds = async (): Promise<void> => {
    // Streams that end at the same moment share a transaction.
    await breathe()
    while (due || urgent.size > 0) {
      const sources = [...(due ? dirty : urgent)]
      due = false
      for (const source of sources) {
        dirty.delete(source)
        urgent.delete(source)
      }
      const failed = await round(sources)
      failedRounds = failed.length > 0 ? failedRounds + 1 : 0
      for (const source of failed) dirty.add(source)
      if (dirty.size > 0) arm(failedRounds > 0 ? Math.min(longestPauseMs, windowMs * 2 ** failedRounds) : windowMs)
    }
  }

  /** Commits these streams in one transaction. Gives those that must be tried again. */
  const round = async (sources: readonly LocalStream[]): Promise<LocalStream[]> => {
    const failed: LocalStream[] = []
    const ready: LocalStream[] = []
    let since = performance.now()
    for (const source of sources) {
      if (performance.now() - since > sliceMs) {
        await breathe()
        since = performance.now()
      }
      if (isOut(source)) continue
      try {
        source.keyring ??= await vault.keyring(source.accountId)
        if (isOut(source)) continue
        source.prepared ??= prepare(source, clock.now())
        ready.push(source)
      } catch (error) {
        failed.push(...refuse([source], error))
      }
    }
    if (ready.length === 0) return failed
    const begun = performance.now()
    try {
      await write(ready)
      recorder?.committed(countEvents(ready), performance.now() - begun)
      await settle(ready)
    } catch (error) {
      // What the database refuses of one stream keeps no other from being written.
      if (error instanceof DatabaseError) for (const source of ready) failed.push(...(await alone(source)))
      else failed.push(...refuse(ready, error))
    }
    return failed
  }

  const write = (sources: readonly LocalStream[]): Promise<void> =>
    database.write((trx) =>
      store.insert(
        trx,
        sources.flatMap((source) => source.prepared?.batches ?? []),
        sources
          .filter((source) => !source.known || source.prepared?.closes)
          .map((source) => rowOf(source, clock.now())),
      ),
    )

  /** A place is taken: either by this very batch, whose commit was never confirmed, or by another writer. */
  const alone = async (source: LocalStream): Promise<readonly LocalStream[]> => {
    try {
      await database.write(async (trx) => {
        for (const batch of source.prepared?.batches ?? []) {
          const there = await store.batch(trx, batch.stream_id, batch.last_seq)
          if (!there) await store.insert(trx, [batch], [])
          else if (Buffer.compare(there.payload, batch.payload) !== 0) throw new TakenError()
        }
        await store.insert(trx, [], [rowOf(source, clock.now())])
      })
      await settle([source])
      return []
    } catch (error) {
      if (!(error instanceof TakenError)) return refuse([source], error)
      log.error('An event stream has two writers; this one stops writing.', { streamId: source.id, error })
      source.broken = error
      empty(source)
      release(source, error)
      source.onTaken?.()
      return []
    }
  }

  const settle = async (sources: readonly LocalStream[]): Promise<void> => {
    const revenants: string[] = []
    for (const source of sources) {
      const { prepared } = source
      if (!prepared) continue
      if (source.dropped) {
        // It was removed while this commit was under way: what has just been written goes too.
        empty(source)
        revenants.push(source.id)
        continue
      }
      source.pending.splice(0, prepared.count)
      source.committed = source.lastSeq - source.pending.length
      source.prepared = null
      source.known = true
      source.closed = prepared.closes
      source.failures = 0
      if (source.pending.length > 0 || (source.closing && !prepared.closes)) dirty.add(source)
      source.waiters = source.waiters.filter((waiter) => {
        const met = source.committed >= waiter.upTo && (!waiter.untilClosed || source.closed)
        if (met) waiter.resolve()
        return !met
      })
      // Somebody waits for what was appended while this commit was under way.
      if (source.waiters.length > 0) urgent.add(source)
    }
    committed(sources)
    if (revenants.length > 0) await database.write((trx) => store.remove(trx, revenants))
  }

  const refuse = (sources: readonly LocalStream[], error: unknown): readonly LocalStream[] => {
    recorder?.failed()
    if (failedRounds % 20 === 0)
      log.error('Events could not be written; they are kept and tried again.', { streams: sources.length, error })
    for (const source of sources) {
      source.failures += 1
      if (source.failures >= patience) release(source, error)
    }
    return sources
  }

  /** Has a stream committed within the window. */
  const schedule = (source: LocalStream): void => {
    dirty.add(source)
    arm(windowMs)
  }

  return {
    schedule,
    /**
     * Leaves a stream out of the commits, and makes rows of what is not on disk. What is being committed already is waited
     * for; rejects like `flush` where that fails.
     */
    hold: async (source: LocalStream): Promise<Keyring> => {
      const keyring = (source.keyring ??= await vault.keyring(source.accountId))
      while (source.prepared && !isOut(source)) {
        const upTo = source.committed + source.prepared.count
        await new Promise<void>((resolve, reject) => {
          source.waiters.push({ upTo, untilClosed: false, resolve, reject })
          urgent.add(source)
          run()
        })
      }
      source.held = true
      if (source.pending.length > 0) source.prepared = prepare(source, clock.now())
      return keyring
    },
    /** Takes it back: the same rows are tried again. */
    letGo: (source: LocalStream): void => {
      source.held = false
      schedule(source)
    },
    /** Its last events, and that it has ended, are on disk by a transaction of its writer. */
    ended: (source: LocalStream, durationMs: number): void => {
      source.prepared = { batches: [], count: source.pending.length, closes: true }
      recorder?.committed(source.pending.length, durationMs)
      settle([source]).catch((error: unknown) => log.warn('A removed stream may not be gone yet.', { error }))
    },
    /** Commits one stream now; see `StreamWriter.flush`. */
    flush: (source: LocalStream, untilClosed: boolean): Promise<void> => {
      if (source.broken) return Promise.reject(source.broken)
      if (source.dropped || source.closed) return Promise.resolve()
      if (!untilClosed && source.pending.length === 0) return Promise.resolve()
      return new Promise((resolve, reject) => {
        source.waiters.push({ upTo: source.lastSeq, untilClosed, resolve, reject })
        urgent.add(source)
        run()
      })
    },
    /** Gives a removed stream up: what is not committed is dropped. */
    drop: (source: LocalStream): void => {
      source.dropped = true
      source.pending = []
      for (const waiter of source.waiters) waiter.resolve()
      source.waiters = []
    },
    /** Resolves when no commit is under way. */
    idle: async (): Promise<void> => {
      while (running) await running
    },
    /** Starts no more commits by itself. */
    stop: (): void => {
      stopped = true
      if (timer) clearTimeout(timer)
      timer = null
    },
  }
}

/** Whether nothing of it is committed here: it is given up, or its writer does it. */
const isOut = ({ broken, dropped, held }: LocalStream): boolean => broken !== null || dropped || held

const countEvents = (sources: readonly LocalStream[]): number =>
  sources.reduce((sum, { prepared }) => sum + (prepared?.count ?? 0), 0)

/** Another writer's events stand where ours belong. */
class TakenError extends Error {
  constructor() {
    super('The place of these events is taken by another writer.')
  }
}

const prepare = (source: LocalStream, now: number): PreparedBatches => {
  if (!source.keyring) throw new Error('A stream is prepared before its keys are there.')
  const entries = source.pending
  return {
    batches: sealBatches(source.keyring, source.id, entries, now),
    count: entries.length,
    closes: source.closing,
  }
}

const rowOf = (source: LocalStream, now: number): StreamRow => ({
  id: source.id,
  account_id: source.accountId,
  last_seq: source.committed + (source.prepared?.count ?? 0),
  closed_at: source.prepared?.closes ? now : null,
  created_at: now,
})

const empty = (source: LocalStream): void => {
  source.pending = []
  source.prepared = null
}

const release = (source: LocalStream, reason: unknown): void => {
  const error = reason instanceof Error ? reason : new Error(String(reason))
  for (const waiter of source.waiters) waiter.reject(error)
  source.waiters = []
}

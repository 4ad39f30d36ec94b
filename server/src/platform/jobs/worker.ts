/** The worker of a process: claims due jobs, keeps their leases, and takes over what dead processes left. */
import type { Clock } from '../clock.ts'
import type { AnyTransaction, Database } from '../db/types.ts'
import type { Log } from '../log/log.ts'
import { runAgain } from './again-store.ts'
import { endAttempt } from './attempts-store.ts'
import type { ChangeJob } from './announce.ts'
import { repairHeads } from './heads-store.ts'
import { chooseNext, leaseLost, type Waiting } from './rules.ts'
import { type Run, type RunParts, startRun } from './run.ts'
import type { Queue } from './queue.ts'
import type { JobStore } from './store.ts'
import type { JobRow } from './tables.ts'
import type { JobHandler, JobPriority } from './types.ts'

export interface WorkerParts extends Omit<RunParts, 'stopped'> {
  readonly database: Database
  readonly store: JobStore
  readonly queue: Queue
  readonly change: ChangeJob
  readonly clock: Clock
  readonly log: Log
  readonly processId: string
  readonly concurrency: number
  /** Whether outward jobs wait. */
  readonly isPaused: () => Promise<boolean>
  readonly leaseMs: number
  /** Has workers of all processes look at the queue. Never rejects. */
  readonly announceDue: () => Promise<void>
  /** Longest wait between two looks at the queue. */
  readonly pollMs: number
}

export interface Worker {
  /** Looks at the queue soon. */
  wake(): void
  /** Aborts a job that runs here. */
  stopRun(jobId: string, reason: 'cancelled'): void
  /** Aborts what runs here for an account that is gone. */
  stopAccount(accountId: string): void
  /** Aborts what runs here for this account, or for any (null), if it may not run any more. */
  reviewAccount(accountId: string | null): Promise<void>
  /** How many jobs it works on. */
  busy(): number
  /** Begins no more; what runs goes on. */
  leave(): void
  stop(): Promise<void>
}

export const startWorker = (parts: WorkerParts, handlers: ReadonlyMap<string, JobHandler>): Worker => {
  const { database, store, queue, change, clock, log, processId, concurrency, isPaused, leaseMs, pollMs } = parts
  const kinds = [...handlers.keys()]
  const inward = kinds.filter((kind) => handlers.get(kind)?.outward !== true)
  const runs = new Map<string, Run>()
  const stopped = new AbortController()
  let stopping = false
  let leaving = false
  let awake = false
  let rouse: (() => void) | null = null

  const wake = (): void => {
    awake = true
    rouse?.()
  }
  /** Waits for `wake`, or so long. */
  const rest = async (ms: number): Promise<void> => {
    if (!awake && !stopping)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        rouse = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    rouse = null
    awake = false
  }

  const priorityOf = (kind: string): JobPriority => handlers.get(kind)?.priority ?? 'normal'

  const hasCapacity = (kind: string): boolean => {
    const most = handlers.get(kind)?.atOnce
    return most === undefined || [...runs.values()].filter(({ row }) => row.kind === kind).length < most
  }

  const claim = async (candidate: Waiting, handler: JobHandler): Promise<void> => {
    const accountId = candidate.share === '' ? null : candidate.share
    const row = await change(accountId, 'both', async (trx) => {
      const now = clock.now()
      if (!(await store.mayBegin(trx, candidate.kind, handler.atOnceInAll))) return undefined
      const by = { owner: processId, maxAttempts: handler.attempts, now, leaseUntil: now + leaseMs }
      return await store.claimNext(trx, candidate, by)
    })
    if (!row) return
    const run = startRun({ ...parts, stopped: stopped.signal }, row, handler)
    runs.set(row.id, run)
    if (stopping) run.stop('stopping')
    void run.done.then(() => {
      runs.delete(row.id)
      wake()
      // Others may begin one now that this one has ended.
      if (handler.atOnceInAll !== undefined) void parts.announceDue()
    })
  }

  /** Fills the free places. Gives how long nothing more can be due. */
  const fill = async (): Promise<number> => {
    while (!leaving && runs.size < concurrency) {
      const { paused, running, busy } = await queue.state()
      const open = ((await isPaused()) ? inward : kinds).filter(
        (kind) =>
          hasCapacity(kind) &&
          !paused.has(kind) &&
          (running.get(kind) ?? 0) < (handlers.get(kind)?.atOnceInAll ?? Infinity),
      )
      if (open.length === 0) return pollMs
      const now = clock.now()
      const free = concurrency - runs.size
      const waiting = await queue.waiting(open, busy, now, free)
      if (waiting.length === 0) {
        const due = await queue.nextDue(open)
        return due === null ? pollMs : Math.max(1, Math.min(pollMs, due - clock.now()))
      }
      for (const candidate of chooseNext(waiting, priorityOf, now, free)) {
        const handler = handlers.get(candidate.kind)
        if (handler && !leaving && hasCapacity(candidate.kind)) await claim(candidate, handler)
      }
    }
    return pollMs
  }

  const loop = async (): Promise<void> => {
    let present = false
    while (!stopping) {
      let pause = pollMs
      try {
        // Others take from a process that is not there; so it is there before it claims.
        if (!present) {
          await database.holdPresence(processId)
          await repairHeads(database)
        }
        present = true
        pause = await fill()
      } catch (error) {
        log.error('The queue could not be read.', { error })
      }
      await rest(pause)
    }
  }

  const beat = async (): Promise<void> => {
    const mine = [...runs.values()]
    if (mine.length === 0) return
    try {
      const kept = new Map((await store.renew(processId, clock.now() + leaseMs)).map((row) => [row.id, row]))
      for (const run of mine) {
        const claimed = kept.get(run.row.id)
        if (!claimed || claimed.fence !== run.row.fence) run.stop('lease-lost')
        else if (claimed.cancel_requested === 1) run.stop('cancelled')
      }
    } catch (error) {
      // The work goes on: while the database is away nobody takes it, and whoever did so before is found next time.
      log.error('Leases could not be renewed.', { error })
    }
  }

  /**
   * Takes claims from processes that are gone, and those of this one on which nobody works any more. That a lease ran
   * out is not enough: where the database was away, nobody could lengthen any.
   */
  const sweep = async (): Promise<void> => {
    const others = (await store.owners()).filter((owner) => owner !== processId)
    const gone = await Promise.all(others.map((owner) => database.isGone(owner)))
    if (stopping) return
    for (const [index, owner] of others.entries()) if (gone[index]) await store.expire(owner)
    for (const row of await store.expired(processId, clock.now())) if (!runs.has(row.id)) await takeBack(row)
  }
  const passOn = async (trx: AnyTransaction, row: JobRow, now: number): Promise<JobRow | undefined> => {
    const finish = async (state: 'cancelled' | 'failed') =>
      (await runAgain(trx, row, now)) ??
      (await store.finish(trx, row, { state, failure: state === 'failed' ? leaseLost : null, now, progress: null }))
    const spent = row.attempts >= row.max_attempts
    if (spent && row.interval_ms === null) return await finish(row.cancel_requested === 1 ? 'cancelled' : 'failed')
    const again = { dueAt: now, attempts: spent ? 0 : row.attempts, failure: null }
    return (await store.requeue(trx, row, again)) ?? (await finish('cancelled'))
  }
  const takeBack = async (row: JobRow): Promise<void> => {
    const taken = await change(row.account_id, 'both', async (trx) => {
      const now = clock.now()
      const changed = await passOn(trx, row, now)
      if (changed) await endAttempt(trx, row, { outcome: 'lost', code: leaseLost.code, now })
      return changed
    })
    if (taken) log.warn('A job was taken from a process that is gone.', { jobId: row.id, owner: row.owner })
    wake()
  }

  /** Does `work` again and again, the next time so long after it ended. */
  const repeat = (ms: number, work: () => Promise<void>): (() => Promise<void>) => {
    let timer: NodeJS.Timeout | null = null
    let over = false
    let current: Promise<void>
    const turn = async (): Promise<void> => {
      try {
        await work()
      } catch (error) {
        log.error('The keeping of leases failed; it is tried again.', { error })
      }
      if (!over)
        timer = setTimeout(() => {
          current = turn()
        }, ms)
    }
    current = turn()
    return async () => {
      over = true
      if (timer) clearTimeout(timer)
      await current
    }
  }

  const endBeat = repeat(leaseMs / 3, beat)
  const endSweep = repeat(leaseMs / 3, sweep)
  const looping = loop()

  return {
    wake,
    stopRun: (jobId, reason) => runs.get(jobId)?.stop(reason),
    stopAccount: (accountId) => {
      for (const run of runs.values()) if (run.row.account_id === accountId) run.stop('lease-lost')
    },
    reviewAccount: async (accountId) => {
      const owners = new Set([...runs.values()].map(({ row }) => row.account_id))
      for (const owner of owners) {
        if (owner === null || (accountId !== null && owner !== accountId) || (await parts.mayRun(owner))) continue
        for (const run of runs.values()) if (run.row.account_id === owner) run.stop('account-inactive')
      }
    },
    busy: () => runs.size,
    leave: () => {
      leaving = true
    },
    stop: async () => {
      leaving = true
      stopping = true
      stopped.abort()
      wake()
      for (const run of runs.values()) run.stop('stopping')
      await Promise.all([looping, endSweep()])
      await Promise.all([...runs.values()].map((run) => run.done))
      await endBeat()
    },
  }
}

/**
 * Writes calls behind their back: many in one transaction, at most a second late. A full queue drops and counts; no
 * call ever waits for this, or fails with it.
 */
import { setImmediate as breathe } from 'node:timers/promises'
import { DatabaseError, isUniqueViolation } from '../../platform/db/index.ts'
import type { Platform } from '../../platform/platform.ts'
import { addUp, type CountedCall } from './batch.ts'
import { dayMs } from './days.ts'
import type { EventStore } from './stores/events.ts'

export interface WriterDeps extends Pick<Platform, 'clock' | 'log'> {
  readonly store: Pick<EventStore, 'write' | 'prune' | 'prunedAt'>
  /** Told of calls that were not written down. */
  readonly dropped: (calls: number) => void
  /** How long calls are gathered. */
  readonly windowMs?: number
  /** Calls that may wait; more are dropped. */
  readonly capacity?: number
}

const retentionMs = 400 * dayMs
const batchSize = 1000
const longestPauseMs = 10_000

export type UsageWriter = ReturnType<typeof createUsageWriter>

export const createUsageWriter = (deps: WriterDeps) => {
  const { store, clock, log, dropped, windowMs = 400, capacity = 50_000 } = deps
  let waiting: CountedCall[] = []
  /** How many at their front were tried together; 0 for none. */
  let tried = 0
  let timer: NodeJS.Timeout | null = null
  let running: Promise<void> | null = null
  let failures = 0
  let stopped = false
  /** When this process last pruned what is too old. */
  let lookedAt: number | null = null

  const arm = (): void => {
    if (stopped) return
    timer ??= setTimeout(
      () => {
        timer = null
        void drain()
      },
      failures === 0 ? windowMs : Math.min(longestPauseMs, windowMs * 2 ** failures),
    )
  }

  const drain = (): Promise<void> => {
    running ??= writeAll().finally(() => {
      running = null
      if (waiting.length > 0) arm()
    })
    return running
  }

  const writeAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      // What was tried is tried again as it was: its commit may have succeeded without being confirmed, and is known by its
      // calls. Those that came since would count as written with them.
      tried ||= Math.min(waiting.length, batchSize)
      const batch = waiting.slice(0, tried)
      try {
        await store.write(addUp(batch))
      } catch (error) {
        // They are there already: the last commit had succeeded, though its confirmation was lost.
        if (!isUniqueViolation(error)) {
          if (failures % 20 === 0) log.error('usage could not be written; it is kept and tried again', { error })
          failures += 1
          // A database that answers, and says no again and again, will not take this batch at all.
          if (!(error instanceof DatabaseError) || failures < 5) return
          dropped(batch.length)
        }
      }
      waiting = waiting.slice(batch.length)
      tried = 0
      failures = 0
      await breathe()
    }
    await prune()
  }

  const prune = async (): Promise<void> => {
    const now = clock.now()
    if (lookedAt !== null && now - lookedAt < dayMs) return
    lookedAt = now
    try {
      if (now - (await store.prunedAt()) >= dayMs) await store.prune(now - retentionMs, now)
    } catch (error) {
      log.warn('old usage could not be removed', { error })
    }
  }

  return {
    add(call: CountedCall): void {
      if (stopped || waiting.length >= capacity) return dropped(1)
      waiting.push(call)
      arm()
    },
    /** Resolves when all that was added before is written, or could not be. */
    async flush(): Promise<void> {
      if (running) await running
      await drain()
    },
    /** Writes what is left; what cannot be written then is dropped. */
    async stop(): Promise<void> {
      await this.flush()
      stopped = true
      if (timer) clearTimeout(timer)
      timer = null
      if (waiting.length > 0) dropped(waiting.length)
    },
  }
}

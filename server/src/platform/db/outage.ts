/** Waiting for a database that is away: it comes back, and what was begun goes on. */
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseOutage } from './errors.ts'

/** Between two tries; the first wait is the shortest, later ones double it. */
export interface RetryDelays {
  readonly firstMs: number
  readonly longestMs: number
}

export const usualRetryDelays: RetryDelays = { firstMs: 100, longestMs: 5000 }
const readingPauses: RetryDelays = { firstMs: 100, longestMs: 1000 }

/** Whether the database only does not answer, or takes no writes just now: the same may succeed in a moment. */
export const isOutage = (error: unknown): boolean => error instanceof DatabaseOutage

/** Whether the database does not answer; a full disk is something else, which time alone does not mend. */
export const isUnreachable = (error: unknown): boolean =>
  isOutage(error) && (error as DatabaseOutage).code === 'unavailable'

/**
 * Reads again while the database is away. Rejects with its error when the signal aborts, and with others at once.
 * `mayRetry`: what is tried again.
 */
export const retryDuringOutage = async <T>(
  read: () => Promise<T>,
  signal: AbortSignal,
  mayRetry: (error: unknown) => boolean = isOutage,
): Promise<T> => {
  for (let ms = readingPauses.firstMs; ; ms = Math.min(2 * ms, readingPauses.longestMs)) {
    try {
      return await read()
    } catch (error) {
      if (!mayRetry(error) || signal.aborted) throw error
      await pause(ms, signal)
    }
  }
}

/**
 * Does what must not be lost until it succeeds, whatever it fails with. Once `stopping` has aborted there is one more
 * try; null when that fails, too. `failed` hears of every failure, and which one it is, from 1.
 */
export const untilDone = async <T>(
  work: () => Promise<T>,
  by: {
    readonly stopping: AbortSignal
    readonly pauses?: RetryDelays | undefined
    failed(error: unknown, times: number): void
  },
): Promise<{ readonly value: T } | null> => {
  const { firstMs, longestMs } = by.pauses ?? usualRetryDelays
  for (let times = 1; ; times++) {
    const isLast = by.stopping.aborted
    try {
      return { value: await work() }
    } catch (error) {
      by.failed(error, times)
      if (isLast) return null
    }
    await pause(Math.min(firstMs * 2 ** Math.min(times - 1, 16), longestMs), by.stopping)
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined)

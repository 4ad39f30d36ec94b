/** Runs a transaction again that lost against another one. */
import { isRetryable, isUniqueViolation } from '../errors.ts'
import { fail } from '../../http/refusal.ts'
import { createTurns } from './turns.ts'

const ATTEMPTS = 20
const MAX_WAIT_MS = 100
/** Whoever waited for so long to try again is told at once when the database turns out to be away. */
const TURN_PATIENCE_MS = 500
/** However many tries that are: whoever waits longer is told to come again. */
const PATIENCE_MS = 10_000

export type RunWithRetries = <R>(run: () => Promise<R>) => Promise<R>

/**
 * Makes a runner. The second and later tries of this process go one at a time, so that many writers of one row do not
 * keep throwing each other out. Refuses with `unavailable` what lost every time. `retried` is told of each such try.
 */
export const createRetryRunner = (retried: () => void = () => undefined): RunWithRetries => {
  const inTurn = createTurns(TURN_PATIENCE_MS)

  const retry = async <R>(run: () => Promise<R>, lostBy: unknown): Promise<R> => {
    let wasTaken = isUniqueViolation(lostBy)
    const since = performance.now()
    for (let attempt = 2; ; attempt++) {
      retried()
      try {
        return await run()
      } catch (error) {
        if (!mayRetry(error) || (wasTaken && isUniqueViolation(error))) throw error
        wasTaken ||= isUniqueViolation(error)
        if (attempt >= ATTEMPTS && performance.now() - since > PATIENCE_MS) throw busy()
        await pause(Math.random() * Math.min(2 ** attempt, MAX_WAIT_MS))
      }
    }
  }

  return async <R>(run: () => Promise<R>): Promise<R> => {
    let lostBy: unknown
    try {
      return await run()
    } catch (error) {
      if (!mayRetry(error)) throw error
      lostBy = error
    }
    return await inTurn(() => retry(run, lostBy))
  }
}

/**
 * A unique value that is taken may be a lost race as well: whoever looked before the other had committed finds out only
 * by the index. The second try sees the other's row, and decides as it does for any row that was there before.
 */
const mayRetry = (error: unknown): boolean => isRetryable(error) || isUniqueViolation(error)

const busy = () => fail('unavailable', 'Too many changes at once. Try again in a moment.')

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

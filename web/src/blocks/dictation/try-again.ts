import { Problem } from '../../api/errors.ts'
import { pauseAtMost } from '../../api/follow.ts'
import { retryOffline } from '../../api/retry-offline.ts'

const mostTries = 3
const pauseMs = 2000
const longestPauseMs = 60_000

/** Does something whose words would be lost else: once more where the server could not just then, and while it is away. */
export async function tryAgain<T>(work: () => Promise<T>, stop: AbortSignal): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await retryOffline(work, stop, () => undefined)
    } catch (error) {
      if (stop.aborted || tries >= mostTries || !isPassing(error)) throw error
      await pauseAtMost(Math.min(error.retryAfterMs ?? pauseMs, longestPauseMs), stop)
    }
  }
}

const isPassing = (error: unknown): error is Problem =>
  error instanceof Problem && (error.status === 429 || error.status >= 500)

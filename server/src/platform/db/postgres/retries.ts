/** Runs a transaction again that lost against another one. */

const ATTEMPTS = 20
const MAX_WAIT_MS = 100

/**
 * Makes a runner. The second and later tries of this process go one at a time,
 * so that many writers of one row do not keep throwing each other out.
 */
export const withRetries = (isRetryable: (error: unknown) => boolean) => {
  let lastRetry: Promise<unknown> = Promise.resolve()

  const retry = async <R>(run: () => Promise<R>): Promise<R> => {
    for (let attempt = 2; ; attempt++) {
      try {
        return await run()
      } catch (error) {
        if (attempt >= ATTEMPTS || !isRetryable(error)) throw error
        await pause(Math.random() * Math.min(2 ** attempt, MAX_WAIT_MS))
      }
    }
  }

  return async <R>(run: () => Promise<R>): Promise<R> => {
    try {
      return await run()
    } catch (error) {
      if (!isRetryable(error)) throw error
    }
    const turn = lastRetry.then(() => retry(run))
    lastRetry = turn.catch(() => undefined)
    return turn
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

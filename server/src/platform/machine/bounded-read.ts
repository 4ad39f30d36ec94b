/** Readings of the system that may never come back, such as those of a network drive whose server is gone. */

/**
 * Gives a function that calls `read` and waits for it for `waitMs` at most: null where it takes longer or fails. A call
 * that hangs holds one thread of the process, so no second one begins beside it: who asks meanwhile waits for the same.
 */
export const createBoundedRead = <T>(read: () => Promise<T>, waitMs: number): (() => Promise<T | null>) => {
  let running: Promise<T | null> | null = null
  const begin = (): Promise<T | null> => {
    const late = Promise.withResolvers<null>()
    const timer = setTimeout(late.resolve, waitMs, null)
    const end = (value: T | null): T | null => {
      clearTimeout(timer)
      running = null
      return value
    }
    // What cannot be read is left out of the report, whatever the reason.
    const reading = read().then(end, () => end(null))
    return Promise.race([reading, late.promise])
  }
  return () => (running ??= begin())
}

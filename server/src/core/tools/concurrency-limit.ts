/** At most so many at a time for each account; the others wait in the order in which they came. */
export interface ConcurrencyLimit {
  /** Gives the function that leaves. Rejects when the signal aborts first. */
  enter(accountId: string, signal: AbortSignal): Promise<() => void>
}

/** `most`: how many of one account. */
export const createConcurrencyLimit = (most: number): ConcurrencyLimit => {
  const inside = new Map<string, { count: number; readonly waiting: (() => void)[] }>()

  const leave = (accountId: string): void => {
    const place = inside.get(accountId)
    if (!place) return
    const next = place.waiting.shift()
    if (next) return next()
    place.count -= 1
    if (place.count === 0) inside.delete(accountId)
  }
  const once = (accountId: string) => {
    let left = false
    return () => {
      if (!left) leave(accountId)
      left = true
    }
  }

  return {
    async enter(accountId, signal) {
      signal.throwIfAborted()
      const place = inside.get(accountId) ?? { count: 0, waiting: [] }
      inside.set(accountId, place)
      if (place.count < most) {
        place.count += 1
        return once(accountId)
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const abort = () => {
        place.waiting.splice(place.waiting.indexOf(resolve), 1)
        reject(signal.reason)
      }
      place.waiting.push(resolve)
      signal.addEventListener('abort', abort, { once: true })
      // Whoever was let in as it was aborted leaves again through its own `leave`.
      await promise.finally(() => signal.removeEventListener('abort', abort))
      return once(accountId)
    },
  }
}

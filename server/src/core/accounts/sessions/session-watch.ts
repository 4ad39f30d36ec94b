/** Tells open streams and sockets when their session ends. */
import type { Clock } from '../../../platform/clock.ts'

export interface SessionWatch {
  /** Calls `ended` once when the session is ended or its time is over. Gives the function that stops watching. */
  watch(sessionId: string, ended: () => void): () => void
  /** Tells of every session that ends by revocation, watched or not. Gives the function that stops it. */
  onEnded(listener: (sessionId: string) => void): () => void
  /** Notes when a session's time is over. */
  expiresAt(sessionId: string, time: number): void
  end(sessionId: string): void
  /** Ends the watch of every session: whoever still has a right comes again. */
  endAll(): void
  close(): void
}

/** What ends by its time is over a second later at most, as what is revoked. */
const sweepMs = 1_000

export const createSessionWatch = (clock: Clock): SessionWatch => {
  const watchers = new Map<string, Set<() => void>>()
  const expiries = new Map<string, number>()
  const listeners = new Set<(sessionId: string) => void>()

  const tell = (sessionId: string): void => {
    const told = watchers.get(sessionId)
    watchers.delete(sessionId)
    for (const ended of told ?? []) ended()
  }
  const sweep = (): void => {
    const now = clock.now()
    for (const [sessionId, time] of expiries) {
      if (time <= now) tell(sessionId)
      if (!watchers.has(sessionId)) expiries.delete(sessionId)
    }
  }
  const timer = setInterval(sweep, sweepMs)
  timer.unref()

  return {
    watch(sessionId, ended) {
      // A set of wrappers, so that the same function may watch twice.
      const watcher = () => ended()
      const set = watchers.get(sessionId) ?? new Set()
      watchers.set(sessionId, set.add(watcher))
      return () => {
        set.delete(watcher)
        if (set.size === 0 && watchers.get(sessionId) === set) watchers.delete(sessionId)
      }
    },
    onEnded(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    expiresAt: (sessionId, time) => void expiries.set(sessionId, time),
    end(sessionId) {
      tell(sessionId)
      for (const listener of listeners) listener(sessionId)
    },
    endAll() {
      for (const sessionId of watchers.keys()) tell(sessionId)
    },
    close: () => clearInterval(timer),
  }
}

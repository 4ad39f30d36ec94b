/** Counts the work that is under way, so that closing can let it end. */
import { fail } from '../http/refusal.ts'

export interface Tasks {
  /** Runs a write to its end; refuses with `unavailable` once closing has begun. */
  write<R>(work: () => Promise<R>): Promise<R>
  /** Notes a statement; call what it gives when it has ended. Refused like a write, unless it belongs to one. */
  statement(): () => void
  /** Lets nothing new begin, and waits for what has begun. */
  close(): Promise<void>
}

export const createTasks = (): Tasks => {
  let writes = 0
  let statements = 0
  let onIdle: (() => void) | null = null

  const settle = (): void => {
    if (writes === 0 && statements === 0) onIdle?.()
  }
  return {
    write: async (work) => {
      if (onIdle !== null) throw fail('unavailable')
      writes += 1
      try {
        return await work()
      } finally {
        writes -= 1
        settle()
      }
    },
    statement: () => {
      if (onIdle !== null && writes === 0) throw fail('unavailable')
      statements += 1
      return () => {
        statements -= 1
        settle()
      }
    },
    close: () =>
      new Promise((resolve) => {
        onIdle = resolve
        settle()
      }),
  }
}

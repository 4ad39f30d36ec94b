/** The threads that read a database file: one, and more for as long as long statements hold up those that came later. */
import { availableParallelism } from 'node:os'
import type { DatabaseLog } from '../types.ts'
import type { Outcome } from './messages.ts'
import type { Thread } from './thread.ts'

export interface Readers {
  /** Null when the statement would write. */
  read(sql: string, parameters: readonly unknown[]): Promise<Outcome | null>
  /** How many threads there are. */
  size(): number
  /** Closes all after what was asked before. */
  close(): Promise<void>
}

export interface ReadersOptions {
  /** Starts a thread that has the file open. `onDeath` hears when it ends without having been closed. */
  start(onDeath: () => void): Promise<Thread>
  /** Hears when the last thread has died; nothing can be read any more. */
  onEnd(): void
  /** Milliseconds without a long statement after which one thread is enough again. */
  readonly quietMs: number
  readonly log: DatabaseLog
}

/** A statement that takes more milliseconds is long: what came later goes to another thread. */
export const longMs = 10
/** A question can take two threads at once, one for its words and one for their meaning. Each thread takes some 11 MB. */
const most = Math.max(3, Math.min(6, availableParallelism()))

/** Starts the first thread. Throws when that cannot open the file. */
export const openReaders = async ({ start, onEnd, quietMs, log }: ReadersOptions): Promise<Readers> => {
  const threads: Thread[] = []
  let starting: Promise<void> | null = null
  let ending: Promise<unknown> = Promise.resolve()
  let isClosed = false
  let chosen: Thread | null = null
  let watch: NodeJS.Timeout | null = null
  let wasLongAt = 0
  let mayStartAt = 0

  const add = async (): Promise<void> => {
    let thread: Thread | null = null
    thread = await start(() => {
      const at = threads.findIndex((one) => one === thread)
      // The last one stays: it refuses what is asked.
      if (at >= 0 && threads.length > 1) threads.splice(at, 1)
      else if (at >= 0) onEnd()
    })
    threads.push(thread)
  }
  const startAnother = (): void => {
    if (starting !== null || isClosed || threads.length >= most || performance.now() < mayStartAt) return
    starting = add()
      .then(relieve, (error: unknown) => {
        mayStartAt = performance.now() + quietMs
        log.warn({ err: error }, 'another reading thread of the database did not start')
      })
      .finally(() => {
        starting = null
      })
  }

  /** The least busy one. What is asked in one turn of the event loop goes to one thread, in one message. */
  const choose = (): Thread => {
    if (chosen !== null && threads.includes(chosen)) return chosen
    process.nextTick(() => {
      chosen = null
    })
    const free = threads.filter((thread) => !isLong(thread))
    if (free.length === 0) startAnother()
    chosen = (free.length > 0 ? free : threads).reduce((one, other) => (other.waiting() < one.waiting() ? other : one))
    return chosen
  }

  /** Whoever waits behind a long statement is asked for elsewhere. */
  const relieve = (): void => {
    if (isClosed) return
    const long = threads.filter(isLong)
    if (long.length > 0) wasLongAt = performance.now()
    const holding = long.filter((thread) => thread.waiting() > 1)
    if (holding.length === 0) return
    if (long.length === threads.length) {
      startAnother()
      return
    }
    chosen = null
    for (const thread of holding) thread.withdraw()
  }
  const look = (): void => {
    watch = null
    relieve()
    if (isClosed) return
    if (threads.length > 1 && performance.now() - wasLongAt > quietMs) endOthers()
    if (threads.length > 1 || threads.some((thread) => thread.waiting() > 0)) lookAgain()
  }
  // Answers that have come by then are heard first.
  const lookAgain = (): void => {
    watch ??= setTimeout(() => setImmediate(look), longMs).unref()
  }
  const endOthers = (): void => {
    const others = threads.splice(1)
    chosen = null
    ending = Promise.allSettled([ending, ...others.map((thread) => thread.close())])
  }

  await add()
  return {
    read: async (sql, parameters) => {
      for (;;) {
        const answer = choose().read(sql, parameters)
        lookAgain()
        const outcome = await answer
        if (outcome !== 'withdrawn') return outcome
      }
    },
    size: () => threads.length,
    close: async () => {
      isClosed = true
      if (watch !== null) clearTimeout(watch)
      await starting
      await Promise.all([ending, ...threads.map((thread) => thread.close())])
    },
  }
}

const isLong = (thread: Thread): boolean => thread.silentMs() > longMs

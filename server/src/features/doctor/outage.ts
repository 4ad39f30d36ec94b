/**
 * Tells administrators that the database is away, which no alert can: those are kept in it, and so are letters. What the
 * letter needs is held ready while the database is there. Once it is back, their inboxes say from when to when it was away.
 */
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/types.ts'
import type { Log } from '../../platform/log/log.ts'
import { createBoundedRead } from '../../platform/machine/bounded-read.ts'

/** Sends without the database. `since`: milliseconds. */
export type TellOutage = (outage: { readonly host: string; readonly since: number }) => Promise<void>

/** One that is over, in milliseconds. `host`: of the process that saw it. */
export interface PastOutage {
  readonly host: string
  readonly since: number
  readonly until: number
}

export interface OutageDeps {
  readonly database: Pick<Database, 'ping'>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  readonly host: string
  /** Reads who is to be told, and how. */
  readonly prepare: () => Promise<TellOutage>
  /** Tells that it was away; the same outage once. */
  readonly tellReturn: (outage: PastOutage) => Promise<void>
  /** Whether this process is the one of several that tells. */
  readonly isFirst: () => boolean
}

export const outageLookMs = 15_000
/** A restart of PostgreSQL is over before. */
const patienceMs = 60_000
const preparedForMs = 5 * 60_000
const pingMs = 10_000

export const createOutageWatch = (deps: OutageDeps) => {
  const { database, clock, log, host, prepare, tellReturn, isFirst } = deps
  const ping = createBoundedRead(async () => {
    await database.ping()
    return true as const
  }, pingMs)
  let ready: { readonly at: number; readonly tell: TellOutage; readonly isFirst: boolean } | null = null
  let since: number | null = null
  let isTold = false
  /** What is over and not told yet: the database may go away again meanwhile. */
  let over: PastOutage | null = null
  let running: Promise<void> | null = null

  const noteReturn = async (): Promise<void> => {
    const now = clock.now()
    if (isTold && since !== null) {
      log.warn('The database is back', { awayMs: now - since })
      if (ready?.isFirst) over = { host, since, until: now }
    }
    since = null
    isTold = false
    if (!ready || now - ready.at >= preparedForMs) ready = { at: now, tell: await prepare(), isFirst: isFirst() }
    if (!over) return
    await tellReturn(over)
    over = null
  }
  const noteAbsence = async (): Promise<void> => {
    since ??= clock.now()
    if (isTold || clock.now() - since < patienceMs) return
    isTold = true
    log.error('The database is away', { since: new Date(since).toISOString() })
    if (ready?.isFirst) await ready.tell({ host, since })
  }
  const lookOnce = async (): Promise<void> => {
    try {
      await ((await ping()) ? noteReturn() : noteAbsence())
    } catch (error) {
      log.warn('Administrators could not be told of the state of the database', { error })
    }
  }
  return {
    /** One look at a time: who asks meanwhile waits for that. */
    look: (): Promise<void> =>
      (running ??= lookOnce().finally(() => {
        running = null
      })),
  }
}

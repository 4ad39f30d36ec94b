/** Writes entries that wait, in batches: the chain has one end to wait for. */
import type { Clock } from '../clock.ts'
import type { Database } from '../db/types.ts'
import { isRefusal } from '../http/refusal.ts'
import type { Log } from '../log/log.ts'
import type { Vault } from '../vault/types.ts'
import { append } from './chain.ts'
import type { AuditTables } from './tables.ts'
import type { AuditEntry } from './types.ts'

export interface WriterParts {
  readonly database: Database
  readonly vault: Vault
  readonly clock: Clock
  readonly log?: Log | undefined
  /** How long whoever records something waits for a database that is away (default 5000). */
  readonly patienceMs?: number | undefined
}

interface Waiting {
  readonly entry: AuditEntry
  readonly at: number
  readonly since: number
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

const firstPauseMs = 50
const longestPauseMs = 2000

/**
 * What was done has to stand in the audit: while the database is away, entries wait in memory and are tried again for as
 * long as the process lives. Who waits for one is told after a while that it is not written yet.
 */
export const createWriter = (parts: WriterParts) => {
  const { database, clock, log, patienceMs = 5000 } = parts
  let waiting: Waiting[] = []
  let running: Promise<void> | null = null
  let rouse: (() => void) | null = null
  let stopped = false

  const write = (batch: readonly Waiting[]): Promise<void> =>
    database.write<AuditTables, void>((trx) => append(parts, trx, batch), 'audit')

  /** Gives those that must be tried again. */
  const attempt = async (batch: readonly Waiting[]): Promise<readonly Waiting[]> => {
    try {
      await write(batch)
      for (const { done } of batch) done()
      return []
    } catch (error) {
      const passes = isRefusal(error) && error.status >= 500
      // One entry that cannot be written at all must not keep the others out.
      if (!passes && batch.length > 1) return (await Promise.all(batch.map((one) => attempt([one])))).flat()
      const now = performance.now()
      for (const { since, failed } of batch) if (!passes || now - since >= patienceMs) failed(error)
      return passes ? batch : []
    }
  }

  const flush = async (): Promise<void> => {
    try {
      for (let pauseMs = firstPauseMs; waiting.length > 0; ) {
        const batch = waiting
        waiting = []
        const left = await attempt(batch)
        waiting = [...left, ...waiting]
        if (left.length === 0) pauseMs = firstPauseMs
        else if (stopped) return
        else {
          await rest(pauseMs)
          pauseMs = Math.min(pauseMs * 2, longestPauseMs)
        }
      }
    } finally {
      // In the same turn as the last look at what waits: an entry that comes after it begins another run.
      running = null
    }
  }
  const rest = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      rouse = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const run = (): Promise<void> => {
    if (running === null && waiting.length > 0) running = flush()
    return running ?? Promise.resolve()
  }

  return {
    record: (entry: AuditEntry): Promise<void> =>
      new Promise((done, failed) => {
        waiting.push({ entry, at: clock.now(), since: performance.now(), done, failed })
        void run()
      }),
    /** Tries a last time what waits; what cannot be written then is told to the log. */
    async stop(): Promise<void> {
      stopped = true
      rouse?.()
      await running
      await run()
      for (const { entry } of waiting)
        log?.error('An entry of the audit could not be written', {
          action: entry.action,
          actor: entry.actor.accountId,
          target: entry.target,
          result: entry.result,
        })
    },
  }
}

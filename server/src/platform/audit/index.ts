/**
 * The audit: an append-only list in which every row holds a keyed digest over itself and the row before, so that a
 * row that was changed, removed or put in between is found by whoever has the instance key.
 */
import type { Clock } from '../clock.ts'
import { type Database, over } from '../db/types.ts'
import type { Vault } from '../vault/types.ts'
import { append } from './chain.ts'
import { createKeeper } from './keep.ts'
import { createReader } from './read.ts'
import type { AuditTables } from './tables.ts'
import type { Audit, AuditEntry } from './types.ts'

export type { AuditFilter, StoredEvent } from './read.ts'
export { recordOutcome, recordRefusal } from './outcomes.ts'
export { auditMigrations } from './tables.ts'
export { type Audit, type AuditEntry, actorOf } from './types.ts'

interface Waiting {
  readonly entry: AuditEntry
  readonly at: number
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

export type AuditLog = ReturnType<typeof createAudit>

export const createAudit = (deps: { database: Database; vault: Vault; clock: Clock }) => {
  const { database, clock } = deps
  let waiting: Waiting[] = []
  let writing = false

  /** Whatever came while others were being written goes into one transaction: the chain has one end to wait for. */
  const flush = async (): Promise<void> => {
    writing = true
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      try {
        await database.write<AuditTables, void>((trx) => append(deps, trx, batch), 'audit')
        for (const { done } of batch) done()
      } catch (error) {
        for (const { failed } of batch) failed(error)
      }
    }
    writing = false
  }

  const audit: Audit = {
    record: (entry) =>
      new Promise((done, failed) => {
        waiting.push({ entry, at: clock.now(), done, failed })
        if (!writing) void flush()
      }),
    recordIn: (trx, entry) => append(deps, over<AuditTables>(trx), [{ entry, at: clock.now() }]),
  }
  return { ...audit, ...createReader(deps), ...createKeeper(deps) }
}

/**
 * The audit: an append-only list in which every row holds a keyed digest over itself and the row before, so that a
 * row that was changed, removed or put in between is found by whoever has the instance key.
 */
import type { Transaction } from 'kysely'
import type { Clock } from '../clock.ts'
import { type Database, over } from '../db/types.ts'
import type { Vault } from '../vault/types.ts'
import type { AuditRow, AuditTables } from './tables.ts'
import type { Audit, AuditEntry } from './types.ts'

export { auditMigrations } from './tables.ts'
export { type Audit, actorOf } from './types.ts'

interface Waiting {
  readonly entry: AuditEntry
  readonly at: number
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

export const createAudit = ({ database, vault, clock }: { database: Database; vault: Vault; clock: Clock }): Audit => {
  let waiting: Waiting[] = []
  let writing = false

  const append = async (trx: Transaction<AuditTables>, entries: readonly { entry: AuditEntry; at: number }[]) => {
    const keyring = await vault.keyring(null)
    let { seq, hash } = await trx
      .selectFrom('audit_head')
      .select(['seq', 'hash'])
      .where('id', '=', 1)
      .executeTakeFirstOrThrow()
    const rows: AuditRow[] = []
    for (const { entry, at } of entries) {
      seq += 1
      const { requestId = null, address = null, details = null } = entry
      const id = clock.id()
      const body = keyring.seal('audit_events.body', id, JSON.stringify({ requestId, address, details }))
      const row: Omit<AuditRow, 'hash'> = {
        ...{ seq, id, occurred_at: at, action: entry.action, result: entry.result ?? 'success', body },
        ...{ actor_kind: entry.actor.kind, actor_account_id: entry.actor.accountId },
        ...{ target_type: entry.target?.type ?? null, target_id: entry.target?.id ?? null },
      }
      hash = linkOf(vault, hash, row)
      rows.push({ ...row, hash })
    }
    await trx.insertInto('audit_events').values(rows).execute()
    await trx.updateTable('audit_head').set({ seq, hash }).where('id', '=', 1).execute()
  }

  /** Whatever came while others were being written goes into one transaction: the chain has one end to wait for. */
  const flush = async (): Promise<void> => {
    writing = true
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      try {
        await database.write<AuditTables, void>((trx) => append(trx, batch), 'audit')
        for (const { done } of batch) done()
      } catch (error) {
        for (const { failed } of batch) failed(error)
      }
    }
    writing = false
  }

  return {
    record: (entry) =>
      new Promise((done, failed) => {
        waiting.push({ entry, at: clock.now(), done, failed })
        if (!writing) void flush()
      }),
    recordIn: (trx, entry) => append(over<AuditTables>(trx), [{ entry, at: clock.now() }]),
  }
}

/** The digest of a row: over every column, and over the digest of the row before. */
const linkOf = (vault: Vault, before: string, row: Omit<AuditRow, 'hash'>): string =>
  vault.blindIndex(
    'audit',
    JSON.stringify([
      before,
      ...[row.seq, row.id, row.occurred_at, row.actor_kind, row.actor_account_id, row.action],
      ...[row.target_type, row.target_id, row.result, Buffer.from(row.body).toString('base64')],
    ]),
  )

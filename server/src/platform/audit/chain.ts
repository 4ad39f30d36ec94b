/** The links of the chain: each row holds a keyed digest over itself and over the digest of the row before. */
import type { Transaction } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Vault } from '../vault/types.ts'
import type { AuditRow, AuditTables } from './tables.ts'
import type { AuditEntry } from './types.ts'

/** The digest of a row: over every column, and over the digest of the row before. */
export const linkOf = (vault: Vault, before: string, row: Omit<AuditRow, 'hash'>): string =>
  vault.blindIndex(
    'audit',
    JSON.stringify([
      before,
      ...[row.seq, row.id, row.occurred_at, row.actor_kind, row.actor_account_id, row.action],
      ...[row.target_type, row.target_id, row.result, Buffer.from(row.body).toString('base64')],
    ]),
  )

/**
 * Adds rows to the end of the chain, within a transaction. The end is taken before it is read: whoever reads it first
 * and writes later meets others who read the same end, and fails on a number that is taken.
 */
export const append = async (
  { vault, clock }: { vault: Vault; clock: Clock },
  trx: Transaction<AuditTables>,
  entries: readonly { readonly entry: AuditEntry; readonly at: number }[],
): Promise<void> => {
  const keyring = await vault.keyring(null)
  const end = await trx
    .updateTable('audit_head')
    .set((by) => ({ seq: by('seq', '+', entries.length) }))
    .where('id', '=', 1)
    .returning(['seq', 'hash'])
    .executeTakeFirstOrThrow()
  let seq = end.seq - entries.length
  let { hash } = end
  const rows: AuditRow[] = []
  for (const { entry, at } of entries) {
    seq += 1
    const { requestId = null, address = null, details = null } = entry
    const id = clock.id()
    const body = keyring.seal('audit_events.body', id, JSON.stringify({ requestId, address, details }))
    const row: Omit<AuditRow, 'hash'> = {
      seq,
      id,
      occurred_at: at,
      action: entry.action,
      result: entry.result ?? 'success',
      body,
      actor_kind: entry.actor.kind,
      actor_account_id: entry.actor.accountId,
      target_type: entry.target?.type ?? null,
      target_id: entry.target?.id ?? null,
    }
    hash = linkOf(vault, hash, row)
    rows.push({ ...row, hash })
  }
  await trx.insertInto('audit_events').values(rows).execute()
  await trx.updateTable('audit_head').set({ hash }).where('id', '=', 1).execute()
}

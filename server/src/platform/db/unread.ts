/** Statements of a transaction whose outcome nobody looks at: on SQLite they cross to the thread with what follows. */
import type { Compilable, CompiledQuery, RawBuilder } from 'kysely'
import { DatabaseError, STALE_ROW } from './errors.ts'
import { type AnyTransaction, inTables } from './types.ts'

interface UnreadQuery extends CompiledQuery {
  readonly isUnread: true
  readonly rows?: number
}

/** Whether nobody looks at the outcome. What is inserted without asking for rows back is one of these by itself. */
export const isUnread = (asked: CompiledQuery): boolean =>
  (asked as Partial<UnreadQuery>).isUnread === true ||
  (asked.query.kind === 'InsertQueryNode' && asked.query.returning === undefined)

/** Runs such a statement. When it fails, so does the transaction: now or with what comes next, the commit at the latest. */
export const runUnread = async (trx: AnyTransaction, statement: Compilable | RawBuilder<unknown>): Promise<void> => {
  const asked: UnreadQuery = { ...statement.compile(inTables<never>(trx)), isUnread: true }
  await trx.executeQuery(asked)
}

/** How many rows a statement has to change for its transaction to stand; undefined: any number. */
export const expectedRows = (asked: CompiledQuery): number | undefined => (asked as Partial<UnreadQuery>).rows

/**
 * Changes one row (or so many) that was read before the transaction and has to be as it was then, as `where` says
 * (optimistic concurrency control). It need not be read within the transaction, which has to wait for nothing then. Where
 * it is not so, the transaction is undone and `work` of `Database.write` runs again: there it has to read the row.
 */
export const runOptimistic = async (
  trx: AnyTransaction,
  statement: Compilable | RawBuilder<unknown>,
  rows = 1,
): Promise<void> => {
  const asked: UnreadQuery = { ...statement.compile(inTables<never>(trx)), isUnread: true, rows }
  // SQLite tells of it later.
  const { numAffectedRows = BigInt(rows) } = await trx.executeQuery(asked)
  if (numAffectedRows !== BigInt(rows)) throw staleRow()
}

export const staleRow = (): DatabaseError => new DatabaseError(STALE_ROW, 'A row has changed since it was read.')

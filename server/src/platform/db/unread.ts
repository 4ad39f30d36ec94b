/** Statements of a transaction whose outcome nobody looks at: on SQLite they cross to the thread with what follows. */
import type { Compilable, CompiledQuery, RawBuilder } from 'kysely'
import { type AnyTransaction, inTables } from './types.ts'

interface UnreadQuery extends CompiledQuery {
  readonly isUnread: true
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

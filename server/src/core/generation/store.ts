/** All SQL of the runs. */
import type { Transaction } from 'kysely'
import type { Database } from '../../platform/db/types.ts'
import { runOptimistic } from '../../platform/db/unread.ts'
import type { GenerationRow, GenerationTables } from './tables.ts'
import type { RunOutcome, Run, TransactionWrite } from './types.ts'

export type GenerationStore = ReturnType<typeof createGenerationStore>

export const createGenerationStore = (database: Database) => {
  const db = () => database.tables<GenerationTables>()

  const latest = async (by: 'subject_id' | 'scope_id', id: string, accountId: string): Promise<StoredRun | null> => {
    const row = await db()
      .selectFrom('generations')
      .selectAll()
      .where(by, '=', id)
      .where('account_id', '=', accountId)
      .orderBy('started_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row ? rowToRun(row) : null
  }

  return {
    /** Inserts a run, together with what its feature writes. The database refuses a second running one in its scope. */
    insert: (row: GenerationRow, record: TransactionWrite | undefined): Promise<void> =>
      database.write<GenerationTables, void>(async (trx) => {
        await trx.insertInto('generations').values(row).execute()
        await record?.(trx)
      }),

    /** Ends a run exactly once: false when something else had ended it. */
    end: (id: string, outcome: RunOutcome, lastSeq: number | null, write: TransactionWrite): Promise<boolean> => {
      let tries = 0
      return database.write<GenerationTables, boolean>(async (trx) => {
        tries += 1
        const ending = trx
          .updateTable('generations')
          .set({ state: outcome.state, ended_at: outcome.endedAt, last_seq: lastSeq })
          .where('id', '=', id)
          .where('state', '=', 'running')
        // Nearly always it runs, so the first try does not wait to hear that.
        if (tries === 1) await runOptimistic(trx, ending)
        else if ((await ending.executeTakeFirstOrThrow()).numUpdatedRows === 0n) return false
        await write(trx)
        return true
      })
    },

    async noteLastSeq(id: string, lastSeq: number): Promise<void> {
      await db().updateTable('generations').set({ last_seq: lastSeq }).where('id', '=', id).execute()
    },

    async requestCancel(id: string): Promise<void> {
      await db()
        .updateTable('generations')
        .set({ cancel_requested: 1 })
        .where('id', '=', id)
        .where('state', '=', 'running')
        .execute()
    },

    async read(id: string, accountId: string): Promise<StoredRun | null> {
      const row = await db()
        .selectFrom('generations')
        .selectAll()
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return row ? rowToRun(row) : null
    },

    /** The latest run that wrote this subject. */
    latestOfSubject: (subjectId: string, accountId: string) => latest('subject_id', subjectId, accountId),

    /** The running run of a scope, else its last one. */
    latestOfScope: (scopeId: string, accountId: string) => latest('scope_id', scopeId, accountId),

    async running(filter: { accountId?: string; scopeIds?: readonly string[] } = {}): Promise<StoredRun[]> {
      if (filter.scopeIds?.length === 0) return []
      let query = db().selectFrom('generations').selectAll().where('state', '=', 'running')
      if (filter.accountId !== undefined) query = query.where('account_id', '=', filter.accountId)
      if (filter.scopeIds !== undefined) query = query.where('scope_id', 'in', filter.scopeIds)
      return (await query.execute()).map(rowToRun)
    },

    /** Forgets a slice of the runs of a scope; gives their ids. */
    async removeOfScope(scopeId: string, limit: number): Promise<string[]> {
      const rows = await db()
        .selectFrom('generations')
        .select('id')
        .where('scope_id', '=', scopeId)
        .limit(limit)
        .execute()
      const ids = rows.map((row) => row.id)
      if (ids.length > 0) await db().deleteFrom('generations').where('id', 'in', ids).execute()
      return ids
    },

    /** Forgets the runs of some subjects, inside a transaction. */
    async removeOfSubjects(trx: Transaction<GenerationTables>, subjectIds: readonly string[]): Promise<void> {
      if (subjectIds.length === 0) return
      await trx.deleteFrom('generations').where('subject_id', 'in', subjectIds).execute()
    },
  }
}

/** A run with what only this area looks at. */
export interface StoredRun extends Run {
  readonly owner: string
  readonly cancelRequested: boolean
  readonly lastSeq: number | null
}

const rowToRun = (row: GenerationRow): StoredRun => ({
  id: row.id,
  accountId: row.account_id,
  kind: row.kind,
  scopeId: row.scope_id,
  subjectId: row.subject_id,
  state: row.state,
  baseLength: row.base_length,
  digest: row.digest,
  startedAt: row.started_at,
  endedAt: row.ended_at,
  owner: row.owner,
  cancelRequested: row.cancel_requested === 1,
  lastSeq: row.last_seq,
})

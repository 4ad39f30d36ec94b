/** Runs on their way: those that wait for a job, and those that go on. Times are integer milliseconds. */
import type { Database } from '../../../platform/db/types.ts'
import type { AutomationTables, RunRow } from '../tables.ts'

export const createRunQueue = (database: Database) => {
  const tables = database.tables<AutomationTables>()
  return {
    /** Those that wait and are due, of everybody, and have no job. */
    undispatched: (now: number, limit: number, offset: number): Promise<Pick<RunRow, 'id' | 'dispatches'>[]> =>
      tables
        .selectFrom('automation_runs')
        .select(['id', 'dispatches'])
        .where('state', '=', 'queued')
        .where('due_at', '<=', now)
        .where('dispatched', '=', 0)
        .orderBy('due_at')
        .orderBy('id')
        .limit(limit)
        .offset(offset)
        .execute(),

    /** When the next one that waits is due. */
    async nextDue(): Promise<number | null> {
      const row = await tables
        .selectFrom('automation_runs')
        .select((by) => by.fn.min('due_at').as('next'))
        .where('state', '=', 'queued')
        .where('dispatched', '=', 0)
        .executeTakeFirst()
      return row?.next == null ? null : Number(row.next)
    },

    /** Those that go on, of everybody, from an id on. */
    running: (after: string, limit: number): Promise<RunRow[]> =>
      tables
        .selectFrom('automation_runs')
        .selectAll()
        .where('state', 'in', ['running', 'waiting'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute(),

    /** Waiting ones whose job should have begun them long ago are given another one; gives how many. */
    async redispatch(before: number): Promise<number> {
      const rows = await tables
        .updateTable('automation_runs')
        .set((by) => ({ dispatched: 0, dispatches: by('dispatches', '+', 1) }))
        .where('state', '=', 'queued')
        .where('dispatched', '=', 1)
        .where('due_at', '<', before)
        .returning('id')
        .execute()
      return rows.length
    },

    /** Gives the run as it is then; null: it does not go on any more, or in another try. */
    async attachAnswer(
      { id, tries }: Pick<RunRow, 'id' | 'tries'>,
      answer: Pick<RunRow, 'session_id' | 'message_id' | 'generation_id'>,
    ): Promise<RunRow | null> {
      const row = await tables
        .updateTable('automation_runs')
        .set(answer)
        .where('id', '=', id)
        .where('tries', '=', tries)
        .where('state', '=', 'running')
        .returningAll()
        .executeTakeFirst()
      return row ?? null
    },
  }
}

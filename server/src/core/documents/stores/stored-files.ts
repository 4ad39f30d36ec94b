/** SQL of what documents take in files. */
import { sql } from 'kysely'
import type { Database } from '../../../platform/db/types.ts'
import type { DocumentRow, DocumentTables } from '../tables.ts'

export const createStoredFiles = (database: Database) => {
  const kept = (accountId: string) =>
    database
      .tables<DocumentTables>()
      .selectFrom('documents')
      .where('account_id', '=', accountId)
      .where('file_id', 'is not', null)
  return {
    /** What is kept, the trash included. */
    async sum(accountId: string): Promise<{ count: number; bytes: number; trashedBytes: number }> {
      const row = await kept(accountId)
        .select((by) => [
          by.fn.countAll<number>().as('count'),
          sql<number>`coalesce(sum(size_bytes), 0)`.as('bytes'),
          sql<number>`coalesce(sum(case when deleted_at is null then 0 else size_bytes end), 0)`.as('trashed'),
        ])
        .executeTakeFirstOrThrow()
      return { count: Number(row.count), bytes: Number(row.bytes), trashedBytes: Number(row.trashed) }
    },

    /** The largest first. */
    largest: (accountId: string, limit: number): Promise<DocumentRow[]> =>
      kept(accountId).selectAll().orderBy('size_bytes', 'desc').orderBy('id').limit(limit).execute(),
  }
}

/** SQL of how much an account has in its gallery. */
import { sql } from 'kysely'
import type { Database } from '../../../platform/db/types.ts'
import type { MediaItemRow, MediaTables } from '../tables.ts'

export const createSumStore = (database: Database) => {
  const own = (accountId: string) =>
    database.tables<MediaTables>().selectFrom('media_items').where('account_id', '=', accountId)
  return {
    /** Without the trash. */
    async count(accountId: string): Promise<number> {
      const { count } = await own(accountId)
        .select((by) => by.fn.countAll<number>().as('count'))
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    /** What is kept, the trash included; without thumbnails. */
    async sum(accountId: string): Promise<{ count: number; bytes: number; trashedBytes: number }> {
      const row = await own(accountId)
        .select((by) => [
          by.fn.countAll<number>().as('count'),
          sql<number>`coalesce(sum(size_bytes), 0)`.as('bytes'),
          sql<number>`coalesce(sum(case when deleted_at is null then 0 else size_bytes end), 0)`.as('trashed'),
        ])
        .executeTakeFirstOrThrow()
      return { count: Number(row.count), bytes: Number(row.bytes), trashedBytes: Number(row.trashed) }
    },

    /** What is kept of each kind, the trash included. */
    async byKind(accountId: string): Promise<{ kind: MediaItemRow['kind']; count: number; bytes: number }[]> {
      const rows = await own(accountId)
        .select((by) => [
          'kind',
          by.fn.countAll<number>().as('count'),
          sql<number>`coalesce(sum(size_bytes), 0)`.as('bytes'),
        ])
        .groupBy('kind')
        .orderBy('kind')
        .execute()
      return rows.map(({ kind, count, bytes }) => ({ kind, count: Number(count), bytes: Number(bytes) }))
    },

    /** The largest first. */
    largest: (accountId: string, limit: number): Promise<MediaItemRow[]> =>
      own(accountId).selectAll().orderBy('size_bytes', 'desc').orderBy('id').limit(limit).execute(),
  }
}
export type SumStore = ReturnType<typeof createSumStore>

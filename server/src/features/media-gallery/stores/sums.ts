/** SQL of how much an account has in its gallery. */
import { sql } from 'kysely'
import { storageSums, toStorageSums } from '../../../core/resources/index.ts'
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
      return toStorageSums(await own(accountId).select(storageSums).executeTakeFirstOrThrow())
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

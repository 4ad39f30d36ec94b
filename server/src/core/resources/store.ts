/** SQL for whatever has an owner and a trash: sums over what takes room, and the rows that are deleted. */
import { sql, type Transaction } from 'kysely'
import { deletedBehind } from '../../platform/db/cursor.ts'
import type { Database } from '../../platform/db/types.ts'
import type { TrashStore } from './trash.ts'

/** Columns to select of the rows of an account, of a table that has `size_bytes` and `deleted_at`. */
export const storageSums = [
  sql<number>`count(*)`.as('count'),
  sql<number>`coalesce(sum(size_bytes), 0)`.as('bytes'),
  sql<number>`coalesce(sum(case when deleted_at is null then 0 else size_bytes end), 0)`.as('trashed'),
] as const

/** What these columns say; PostgreSQL gives them as text. */
export const toStorageSums = (row: { readonly count: number; readonly bytes: number; readonly trashed: number }) => ({
  count: Number(row.count),
  bytes: Number(row.bytes),
  trashedBytes: Number(row.trashed),
})

interface DeletedRow {
  id: string
  account_id: string
  /** null: it is not in the trash. */
  deleted_at: number | null
}

/** Whatever the table is called: no other columns are named here. */
type DeletedTables = Record<string, DeletedRow>

interface TrashStoreDeps<Tables, Row, T> {
  readonly database: Database
  readonly openAll: (rows: readonly Row[]) => Promise<readonly T[]>
  /** What goes with rows that are deleted permanently: words in the index, grants, … */
  readonly removeTraces: (trx: Transaction<Tables>, ids: readonly string[]) => Promise<void>
}

/** The trash of a table whose rows have `id`, `account_id` and `deleted_at` (milliseconds, null outside of it). */
export const createTrashStore = <Tables extends { [name in Table]: DeletedRow }, Table extends string, T>(
  name: Table,
  { database, openAll, removeTraces }: TrashStoreDeps<Tables, Tables[Table], T>,
): TrashStore<T> => {
  const table: string = name
  const deleted = () => database.tables<DeletedTables>().selectFrom(table).where('deleted_at', 'is not', null)
  // All columns are selected, though only those of the trash have names here.
  const open = (rows: readonly DeletedRow[]) => openAll(rows as readonly Tables[Table][])

  return {
    async deleted(accountId, after, limit) {
      const rows = await deleted()
        .selectAll()
        .where('account_id', '=', accountId)
        .where(deletedBehind(after))
        .orderBy('deleted_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return open(rows)
    },
    async readDeleted(accountId, id) {
      const rows = await deleted().selectAll().where('account_id', '=', accountId).where('id', '=', id).execute()
      return (await open(rows))[0] ?? null
    },
    async expired(before, limit) {
      const rows = await deleted().select('id').where('deleted_at', '<', before).limit(limit).execute()
      return rows.map(({ id }) => id)
    },
    removeDeleted: (ids) =>
      database.write<Tables, number>(async (trx) => {
        const rows = await (trx as Transaction<unknown> as Transaction<DeletedTables>)
          .deleteFrom(table)
          .where('id', 'in', ids)
          .where('deleted_at', 'is not', null)
          .returning('id')
          .execute()
        if (rows.length > 0)
          await removeTraces(
            trx,
            rows.map(({ id }) => id),
          )
        return rows.length
      }),
  }
}

/** SQL of what a kind with files takes, for tables that have `size_bytes` and `deleted_at`. */
import { sql } from 'kysely'

/** Columns to select of the rows of an account. */
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

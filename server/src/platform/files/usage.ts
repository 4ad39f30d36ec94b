/** How much is kept, and by whom. What is being written counts with the place that it has taken so far. */
import type { Kysely } from 'kysely'
import type { FileTables } from './tables.ts'

/** Bytes and number of the files that an account keeps; `accountId` null: the instance. */
export const totalOf = async (
  tables: Kysely<FileTables>,
  accountId: string | null,
): Promise<{ readonly bytes: number; readonly count: number }> => {
  const row = await tables
    .selectFrom('files')
    .select((by) => [by.fn.coalesce(by.fn.sum<number>('size'), by.lit(0)).as('bytes'), by.fn.countAll().as('count')])
    .where('account_id', accountId === null ? 'is' : '=', accountId)
    .where('held', '=', 0)
    .executeTakeFirst()
  return { bytes: Number(row?.bytes ?? 0), count: Number(row?.count ?? 0) }
}

/** Bytes that count against the quota of an account. */
export const usedIn = async (tables: Kysely<FileTables>, accountId: string): Promise<number> => {
  const row = await tables
    .selectFrom('files')
    .select((by) => by.fn.coalesce(by.fn.sum<number>('size'), by.lit(0)).as('size'))
    .where('account_id', '=', accountId)
    .where('counted', '=', 1)
    .executeTakeFirst()
  return Number(row?.size ?? 0)
}

/** The same for some accounts, by id; those that keep nothing are left out. */
export const usedInEach = async (
  tables: Kysely<FileTables>,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  if (accountIds.length === 0) return new Map()
  const rows = await tables
    .selectFrom('files')
    .select((by) => ['account_id', by.fn.sum<number>('size').as('bytes')])
    .where('account_id', 'in', accountIds)
    .where('counted', '=', 1)
    .groupBy('account_id')
    .execute()
  return new Map(rows.map(({ account_id, bytes }) => [account_id as string, Number(bytes)]))
}

/** The accounts that keep most that counts, the first with the most. */
export const largestAccounts = async (
  tables: Kysely<FileTables>,
  limit: number,
): Promise<{ readonly accountId: string; readonly bytes: number }[]> => {
  const rows = await tables
    .selectFrom('files')
    .select((by) => ['account_id', by.fn.sum<number>('size').as('bytes')])
    .where('account_id', 'is not', null)
    .where('counted', '=', 1)
    .groupBy('account_id')
    .orderBy('bytes', 'desc')
    .orderBy('account_id')
    .limit(limit)
    .execute()
  return rows.map(({ account_id, bytes }) => ({ accountId: account_id as string, bytes: Number(bytes) }))
}

/** Room that other tables take: it counts against the quota of an account as its files do. */
import type { Kysely } from 'kysely'
import type { AnyTransaction } from '../db/types.ts'
import { requireQuota } from './quota.ts'
import type { FileTables } from './tables.ts'
import { usedIn } from './usage.ts'

export interface HeldRoom {
  /** Names what takes it, among all files. */
  readonly id: string
  readonly accountId: string
  /** All that it takes now, in the place of what it took before. */
  readonly bytes: number
}

export type HoldRoom = (trx: AnyTransaction, room: HeldRoom) => Promise<void>

/** Refuses with `quota_full` what takes more than before, and more than there is. `quota` 0: there is no limit. */
export const holdIn = async (
  trx: Kysely<FileTables>,
  { id, accountId, bytes }: HeldRoom,
  quota: number,
  now: number,
): Promise<void> => {
  const before = await trx.selectFrom('files').select('size').where('id', '=', id).executeTakeFirst()
  const more = bytes - (before?.size ?? 0)
  if (quota > 0 && more > 0) requireQuota(quota, await usedIn(trx, accountId), more)
  if (before) return void (await trx.updateTable('files').set({ size: bytes }).where('id', '=', id).execute())
  await trx
    .insertInto('files')
    .values({
      id,
      account_id: accountId,
      size: bytes,
      chunks: 0,
      complete: 1,
      created_at: now,
      counted: 1,
      streamed: 0,
      held: 1,
      sealed_by: null,
    })
    .execute()
}

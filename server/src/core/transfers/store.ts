/** Every SQL statement about offers of ownership. */
import type { Transaction } from 'kysely'
import { createdBefore, creationKey, cutPage } from '../../platform/db/cursor.ts'
import type { Database } from '../../platform/db/types.ts'
import type { TransferRow, TransferTables } from './tables.ts'

type Trx = Transaction<TransferTables>
export type TransferStore = ReturnType<typeof createTransferStore>

export const createTransferStore = (database: Database) => {
  const tables = () => database.tables<TransferTables>()
  /** Rows that hold up the end of an account. */
  const open = (on: Pick<Trx, 'selectFrom'>, now: number) =>
    on
      .selectFrom('ownership_transfers')
      .where('state', '<>', 'sealing')
      .where((eb) => eb.or([eb('state', '=', 'accepted'), eb('expires_at', '>', now)]))

  return {
    write: <R>(work: (trx: Trx) => Promise<R>): Promise<R> => database.write<TransferTables, R>(work, 'audit'),

    /** Newest first. Refuses with `bad_cursor`. */
    async page(
      side: 'from_id' | 'to_id',
      accountId: string,
      now: number,
      limit: number,
      cursor: string | undefined,
    ): Promise<{ items: TransferRow[]; nextCursor: string | null }> {
      const rows = await open(tables(), now)
        .selectAll()
        .where(side, '=', accountId)
        .$if(cursor !== undefined, (query) => query.where(createdBefore(cursor ?? '')))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute()
      return cutPage(rows, limit, creationKey)
    },

    async find(id: string): Promise<TransferRow | null> {
      return (
        (await tables().selectFrom('ownership_transfers').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
      )
    },

    /** false: the thing is offered already. */
    async addIn(trx: Trx, row: TransferRow): Promise<boolean> {
      await trx
        .deleteFrom('ownership_transfers')
        .where('resource_type', '=', row.resource_type)
        .where('resource_id', '=', row.resource_id)
        .where('state', '=', 'offered')
        .where('expires_at', '<=', row.created_at)
        .execute()
      const there = await trx
        .selectFrom('ownership_transfers')
        .select('id')
        .where('resource_type', '=', row.resource_type)
        .where('resource_id', '=', row.resource_id)
        .where('state', '<>', 'sealing')
        .executeTakeFirst()
      if (there) return false
      await trx.insertInto('ownership_transfers').values(row).execute()
      return true
    },

    /** How many offers of one account wait for another one. */
    async countIn(trx: Trx, fromId: string, toId: string): Promise<number> {
      const { count } = await trx
        .selectFrom('ownership_transfers')
        .select((by) => by.fn.countAll<number>().as('count'))
        .where('from_id', '=', fromId)
        .where('to_id', '=', toId)
        .where('state', '=', 'offered')
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    /** Takes it from one state to another, once; false: it is in another one, or gone. */
    async step(
      trx: Trx,
      id: string,
      from: TransferRow['state'],
      change: Partial<Pick<TransferRow, 'state' | 'failure' | 'expires_at'>>,
    ): Promise<boolean> {
      const { numUpdatedRows } = await trx
        .updateTable('ownership_transfers')
        .set(change)
        .where('id', '=', id)
        .where('state', '=', from)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    /** Ends one that is not done; false: it is done, or gone. */
    async endIn(trx: Trx, id: string): Promise<boolean> {
      const { numDeletedRows } = await trx
        .deleteFrom('ownership_transfers')
        .where('id', '=', id)
        .where('state', '<>', 'sealing')
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },

    /** What is done and sealed. */
    async remove(id: string): Promise<void> {
      await tables().deleteFrom('ownership_transfers').where('id', '=', id).execute()
    },

    /** How many of what an account has are on their way to somebody. */
    async countOpen(fromId: string, now: number): Promise<number> {
      const { count } = await open(tables(), now)
        .select((by) => by.fn.countAll<number>().as('count'))
        .where('from_id', '=', fromId)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    /** All that an account takes part in, in any state. */
    ofAccount: (accountId: string): Promise<TransferRow[]> =>
      tables()
        .selectFrom('ownership_transfers')
        .selectAll()
        .where((eb) => eb.or([eb('from_id', '=', accountId), eb('to_id', '=', accountId), eb('by_id', '=', accountId)]))
        .execute(),

    /** In a state, oldest first. */
    inState: (state: TransferRow['state'], after: string, limit: number): Promise<TransferRow[]> =>
      tables()
        .selectFrom('ownership_transfers')
        .selectAll()
        .where('state', '=', state)
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute(),
  }
}

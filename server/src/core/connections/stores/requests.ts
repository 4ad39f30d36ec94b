/** Every SQL statement about requests for a model. */
import { type AnyTransaction, inTables } from '../../../platform/db/types.ts'
import type { ConnectionTables } from '../tables.ts'
import type { StoreContext } from './context.ts'

const mostShown = 200

export const createRequestStore = ({ clock, tables }: StoreContext) => ({
  /** When the account asked (milliseconds); null where it did not. */
  async requestedAt(accountId: string): Promise<number | null> {
    const row = await tables()
      .selectFrom('connection_model_requests')
      .select('requested_at')
      .where('account_id', '=', accountId)
      .executeTakeFirst()
    return row?.requested_at ?? null
  },

  /** Whether it is new: an account asks once, until somebody answers. */
  async addRequest(accountId: string): Promise<boolean> {
    const { numInsertedOrUpdatedRows = 0n } = await tables()
      .insertInto('connection_model_requests')
      .values({ account_id: accountId, requested_at: clock.now() })
      .onConflict((conflict) => conflict.column('account_id').doNothing())
      .executeTakeFirstOrThrow()
    return numInsertedOrUpdatedRows > 0n
  },

  requests: () =>
    tables()
      .selectFrom('connection_model_requests')
      .select(['account_id as accountId', 'requested_at as requestedAt'])
      .orderBy('requested_at')
      .orderBy('account_id')
      .limit(mostShown)
      .execute(),

  /** False: the account asked for nothing. */
  async removeRequest(accountId: string): Promise<boolean> {
    const { numDeletedRows } = await tables()
      .deleteFrom('connection_model_requests')
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow()
    return numDeletedRows > 0n
  },
})

/** Everybody has a model now. */
export async function removeRequests(trx: AnyTransaction): Promise<void> {
  await inTables<ConnectionTables>(trx).deleteFrom('connection_model_requests').execute()
}

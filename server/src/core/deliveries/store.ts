/** Every SQL statement about deliveries that wait. */
import { type AnyTransaction, type Database, inTables } from '../../platform/db/types.ts'
import type { DeliveryRow, DeliveryTables } from './tables.ts'

export type DeliveryStore = ReturnType<typeof createDeliveryStore>

export const createDeliveryStore = (database: Database) => {
  const tables = () => database.tables<DeliveryTables>()
  return {
    async insert(trx: AnyTransaction, row: DeliveryRow): Promise<void> {
      await inTables<DeliveryTables>(trx).insertInto('deliveries').values(row).execute()
    },

    /** Those that are due, after an id. */
    async next(now: number, after: string, limit: number): Promise<DeliveryRow[]> {
      return await tables()
        .selectFrom('deliveries')
        .selectAll()
        .where('due_at', '<=', now)
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute()
    },

    async defer(id: string, dueAt: number): Promise<void> {
      await tables().updateTable('deliveries').set({ due_at: dueAt }).where('id', '=', id).execute()
    },

    async remove(id: string): Promise<void> {
      await tables().deleteFrom('deliveries').where('id', '=', id).execute()
    },

    async removeBefore(time: number): Promise<void> {
      await tables().deleteFrom('deliveries').where('due_at', '<', time).execute()
    },

    async removeAccount(accountId: string): Promise<void> {
      await tables().deleteFrom('deliveries').where('account_id', '=', accountId).execute()
    },
  }
}

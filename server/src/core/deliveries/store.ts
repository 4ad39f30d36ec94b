/** Every SQL statement about deliveries that wait, and about what became of the others. */
import { type AnyTransaction, type Database, inTables } from '../../platform/db/types.ts'
import type { DeliveryOutcomeRow, DeliveryRow, DeliveryTables } from './tables.ts'

/** What is more waits for the next one. */
const mostInDigest = 500

export type DeliveryStore = ReturnType<typeof createDeliveryStore>

export const createDeliveryStore = (database: Database) => {
  const tables = () => database.tables<DeliveryTables>()
  return {
    async insert(trx: AnyTransaction, row: DeliveryRow): Promise<void> {
      await inTables<DeliveryTables>(trx).insertInto('deliveries').values(row).execute()
    },

    /** Forgets what became of a notification that happened once more. */
    async forgetOutcomes(trx: AnyTransaction, notificationId: string): Promise<void> {
      await inTables<DeliveryTables>(trx)
        .deleteFrom('delivery_outcomes')
        .where('notification_id', '=', notificationId)
        .execute()
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

    /** What became of a notification of an account, by way. */
    async outcomes(accountId: string, notificationId: string): Promise<DeliveryOutcomeRow[]> {
      return await tables()
        .selectFrom('delivery_outcomes')
        .selectAll()
        .where('notification_id', '=', notificationId)
        .where('account_id', '=', accountId)
        .execute()
    },

    /** Notifications of an account that wait for a digest. */
    async waitingForDigest(accountId: string): Promise<string[]> {
      const rows = await tables()
        .selectFrom('delivery_outcomes')
        .select('notification_id')
        .where('account_id', '=', accountId)
        .where('way', '=', 'mail')
        .where('state', '=', 'waiting')
        .where('reason', '=', 'digest')
        .orderBy('notification_id', 'desc')
        .limit(mostInDigest)
        .execute()
      return rows.map(({ notification_id: id }) => id)
    },

    /** Notes what became of notifications; what was noted of the same way before is over, but what was sent stays so. */
    async note(rows: readonly DeliveryOutcomeRow[]): Promise<void> {
      if (rows.length === 0) return
      await tables()
        .insertInto('delivery_outcomes')
        .values(rows)
        .onConflict((conflict) =>
          conflict
            .columns(['notification_id', 'way'])
            .doUpdateSet((by) => ({
              state: by.ref('excluded.state'),
              reason: by.ref('excluded.reason'),
              at: by.ref('excluded.at'),
            }))
            .where('delivery_outcomes.state', '<>', 'sent'),
        )
        .execute()
    },

    /** Removes deliveries that were due before a time, and outcomes from before another. */
    async removeBefore(dueAt: number, outcomesAt: number): Promise<void> {
      await tables().deleteFrom('deliveries').where('due_at', '<', dueAt).execute()
      await tables().deleteFrom('delivery_outcomes').where('at', '<', outcomesAt).execute()
    },

    async removeAccount(accountId: string): Promise<void> {
      for (const table of ['deliveries', 'delivery_outcomes'] as const)
        await tables().deleteFrom(table).where('account_id', '=', accountId).execute()
    },
  }
}

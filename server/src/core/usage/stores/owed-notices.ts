/** SQL of what accounts are still to be told of their budgets: written with what was spent, gone with the notification. */
import { type AnyTransaction, type Database, inTables } from '../../../platform/db/types.ts'
import type { OwedBudgetNoticeRow, UsageTables } from '../tables.ts'

const atOnce = 200

export const createOwedNoticeStore = (database: Database) => ({
  async add(trx: AnyTransaction, rows: readonly OwedBudgetNoticeRow[]): Promise<void> {
    if (rows.length === 0) return
    await inTables<UsageTables>(trx)
      .insertInto('usage_owed_budget_notices')
      .values(rows)
      .onConflict((on) => on.doNothing())
      .execute()
  },

  list: (): Promise<OwedBudgetNoticeRow[]> =>
    database.tables<UsageTables>().selectFrom('usage_owed_budget_notices').selectAll().limit(atOnce).execute(),

  async remove(trx: AnyTransaction, row: OwedBudgetNoticeRow): Promise<void> {
    await inTables<UsageTables>(trx)
      .deleteFrom('usage_owed_budget_notices')
      .where('account_id', '=', row.account_id)
      .where('budget_id', '=', row.budget_id)
      .where('subject', '=', row.subject)
      .where('period_start', '=', row.period_start)
      .where('reached', '=', row.reached)
      .execute()
  },
})

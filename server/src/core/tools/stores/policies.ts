/** Every SQL statement about what accounts decided about tools for themselves. */
import { ToolMode } from '@atrium/contract/tools'
import { type AnyTransaction, type Database, inTables } from '../../../platform/db/types.ts'
import type { ToolsTables } from '../tables.ts'

export type PolicyStore = ReturnType<typeof createPolicyStore>

export const createPolicyStore = (database: Database) => {
  const tables = () => database.tables<ToolsTables>()
  return {
    /** By the id of the tool. */
    async list(accountId: string): Promise<ReadonlyMap<string, ToolMode>> {
      const rows = await tables()
        .selectFrom('tool_policies')
        .select(['tool_id', 'mode'])
        .where('account_id', '=', accountId)
        .execute()
      return new Map(rows.map((row) => [row.tool_id, ToolMode.parse(row.mode)]))
    },

    /** null: nothing any more. */
    async save(trx: AnyTransaction, accountId: string, toolId: string, mode: ToolMode | null, now: number) {
      const policies = inTables<ToolsTables>(trx)
      if (mode === null)
        return void (await policies
          .deleteFrom('tool_policies')
          .where('account_id', '=', accountId)
          .where('tool_id', '=', toolId)
          .execute())
      const saved = { mode, updated_at: now }
      await policies
        .insertInto('tool_policies')
        .values({ account_id: accountId, tool_id: toolId, ...saved })
        .onConflict((conflict) => conflict.columns(['account_id', 'tool_id']).doUpdateSet(saved))
        .execute()
    },

    async removeAccount(accountId: string): Promise<void> {
      await tables().deleteFrom('tool_policies').where('account_id', '=', accountId).execute()
    },
  }
}

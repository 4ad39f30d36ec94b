/** Every SQL statement about tools that were looked for. */
import type { Database } from '../../../platform/db/types.ts'
import type { ToolsTables } from '../tables.ts'

export type FoundStore = ReturnType<typeof createFoundStore>

export const createFoundStore = (database: Database) => {
  const tables = () => database.tables<ToolsTables>()
  return {
    /** Ids of the tools that a chat was told of, the first found first. */
    async list(accountId: string, chatId: string): Promise<string[]> {
      const rows = await tables()
        .selectFrom('tool_found')
        .select('tool_id')
        .where('account_id', '=', accountId)
        .where('chat_id', '=', chatId)
        .orderBy('found_at')
        .orderBy('tool_id')
        .execute()
      return rows.map((row) => row.tool_id)
    },

    async add(accountId: string, chatId: string, toolIds: readonly string[], now: number): Promise<void> {
      if (toolIds.length === 0) return
      await tables()
        .insertInto('tool_found')
        .values(toolIds.map((id) => ({ account_id: accountId, chat_id: chatId, tool_id: id, found_at: now })))
        .onConflict((conflict) => conflict.columns(['account_id', 'chat_id', 'tool_id']).doNothing())
        .execute()
    },

    async removeChat(chatId: string): Promise<void> {
      await tables().deleteFrom('tool_found').where('chat_id', '=', chatId).execute()
    },

    async removeAccount(accountId: string): Promise<void> {
      await tables().deleteFrom('tool_found').where('account_id', '=', accountId).execute()
    },
  }
}

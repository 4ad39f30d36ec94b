/** Every SQL statement about what was allowed for more than once. */
import { type AnyTransaction, type Database, inTables } from '../../../platform/db/types.ts'
import type { StandingRow, ToolsTables } from '../tables.ts'

/** `chatId` null: in all chats. */
export interface Standing {
  readonly id: string
  readonly toolId: string
  readonly chatId: string | null
  readonly digest: string
  readonly createdAt: number
}

export type StandingStore = ReturnType<typeof createStandingStore>

export const createStandingStore = (database: Database) => {
  const tables = () => database.tables<ToolsTables>()
  return {
    /** In the place of an earlier one of the same reach. */
    async add(
      trx: AnyTransaction,
      accountId: string,
      { id, toolId, chatId, digest, createdAt }: Standing,
    ): Promise<void> {
      await inTables<ToolsTables>(trx)
        .insertInto('tool_standing')
        .values({ id, account_id: accountId, tool_id: toolId, chat_id: chatId ?? '', digest, created_at: createdAt })
        .onConflict((conflict) =>
          conflict.columns(['account_id', 'tool_id', 'chat_id']).doUpdateSet({ digest, created_at: createdAt }),
        )
        .execute()
    },

    async list(accountId: string): Promise<Standing[]> {
      const rows = await tables()
        .selectFrom('tool_standing')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .execute()
      return rows.map(rowToStanding)
    },

    /** Those of the accounts that have any. */
    async accountsAmong(accountIds: readonly string[]): Promise<string[]> {
      if (accountIds.length === 0) return []
      const rows = await tables()
        .selectFrom('tool_standing')
        .select('account_id')
        .distinct()
        .where('account_id', 'in', accountIds)
        .execute()
      return rows.map((row) => row.account_id)
    },

    /** Whether this very definition may be called in a chat without asking. */
    async allows(accountId: string, tool: { readonly id: string; readonly digest: string }, chatId: string | null) {
      const row = await tables()
        .selectFrom('tool_standing')
        .select('id')
        .where('account_id', '=', accountId)
        .where('tool_id', '=', tool.id)
        .where('digest', '=', tool.digest)
        .where('chat_id', 'in', chatId === null ? [''] : ['', chatId])
        .executeTakeFirst()
      return row !== undefined
    },

    /** The tool of one; null: the account has none of this id. */
    async toolOf(accountId: string, id: string): Promise<string | null> {
      const row = await tables()
        .selectFrom('tool_standing')
        .select('tool_id')
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return row?.tool_id ?? null
    },

    /** false: it is not there any more. */
    async remove(trx: AnyTransaction, accountId: string, id: string): Promise<boolean> {
      const { numDeletedRows } = await inTables<ToolsTables>(trx)
        .deleteFrom('tool_standing')
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },

    async removeAll(ids: readonly string[]): Promise<void> {
      if (ids.length > 0) await tables().deleteFrom('tool_standing').where('id', 'in', ids).execute()
    },

    /** Gives the accounts that had any. */
    async removeOfTools(toolIds: readonly string[]): Promise<string[]> {
      if (toolIds.length === 0) return []
      const rows = await tables()
        .deleteFrom('tool_standing')
        .where('tool_id', 'in', toolIds)
        .returning('account_id')
        .execute()
      return [...new Set(rows.map((row) => row.account_id))]
    },

    async removeChat(chatId: string): Promise<void> {
      await tables().deleteFrom('tool_standing').where('chat_id', '=', chatId).execute()
    },

    async removeAccount(accountId: string): Promise<void> {
      await tables().deleteFrom('tool_standing').where('account_id', '=', accountId).execute()
    },
  }
}

const rowToStanding = (row: StandingRow): Standing => ({
  id: row.id,
  toolId: row.tool_id,
  chatId: row.chat_id === '' ? null : row.chat_id,
  digest: row.digest,
  createdAt: row.created_at,
})

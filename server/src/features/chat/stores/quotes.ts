/** SQL of the messages that questions quote. */
import { sql } from 'kysely'
import type { Database } from '../../../platform/db/types.ts'
import type { ChatTables } from '../tables.ts'

export const createQuoteStore = (database: Database) => {
  const db = () => database.tables<ChatTables>()
  return {
    /** Which of these messages are in a chat, and not in the trash. */
    async listLive(chatId: string, ids: readonly string[]): Promise<Set<string>> {
      const rows = await db()
        .selectFrom('chat_messages')
        .select('id')
        .where('id', 'in', ids)
        .where('chat_id', '=', chatId)
        .where('deleted_at', 'is', null)
        .execute()
      return new Set(rows.map(({ id }) => id))
    },

    /** Which of these messages are on the path that ends at a leaf. */
    async listOnPath(chatId: string, leafId: string | null, ids: readonly string[]): Promise<Set<string>> {
      const { rows } = await sql<{ id: string }>`
        with recursive path (id, parent_id) as (
          select id, parent_id from chat_messages where id = ${leafId} and chat_id = ${chatId}
          union all
          select m.id, m.parent_id from path join chat_messages m on m.id = path.parent_id
        )
        select id from path where id in (${sql.join(ids)})`.execute(db())
      return new Set(rows.map(({ id }) => id))
    },
  }
}

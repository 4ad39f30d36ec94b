/** SQL of what providers want to be sent again. Rows go away with their messages. */
import type { Transaction } from 'kysely'
import type { Database } from '../../../platform/db/types.ts'
import type { ChatTables, ReplayRow } from '../tables.ts'

type Trx = Transaction<ChatTables>

export const createReplayStore = (database: Database) => ({
  async putIn(trx: Trx, rows: readonly ReplayRow[]): Promise<void> {
    if (rows.length === 0) return
    await trx
      .insertInto('chat_replays')
      .values(rows)
      .onConflict((conflict) =>
        conflict.column('message_id').doUpdateSet((eb) => ({ content: eb.ref('excluded.content') })),
      )
      .execute()
  },

  async ofMessages(messageIds: readonly string[]): Promise<ReplayRow[]> {
    if (messageIds.length === 0) return []
    return database
      .tables<ChatTables>()
      .selectFrom('chat_replays')
      .selectAll()
      .where('message_id', 'in', messageIds)
      .execute()
  },

  async remove(messageId: string): Promise<void> {
    await database.tables<ChatTables>().deleteFrom('chat_replays').where('message_id', '=', messageId).execute()
  },
})

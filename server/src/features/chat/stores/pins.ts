/** SQL of the pinned messages of a chat. Those in the trash keep their pin, and are left out. */
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../platform/db/types.ts'
import type { ChatTables, MessageRow } from '../tables.ts'

export const createPinStore = (database: Database) => {
  const db = () => database.tables<ChatTables>()
  return {
    count: (chatId: string): Promise<number> => countPinned(db(), chatId),

    /** Pins a message, once. `full`: the chat has as many pinned ones as it may; `gone`: the message was deleted. */
    pin: (
      { id, chat_id }: Pick<MessageRow, 'id' | 'chat_id'>,
      now: number,
      most: number,
    ): Promise<'pinned' | 'full' | 'gone'> =>
      database.write<ChatTables, 'pinned' | 'full' | 'gone'>(async (trx) => {
        const row = await trx.selectFrom('chat_messages').select('pinned_at').where('id', '=', id).executeTakeFirst()
        if (!row) return 'gone'
        if (row.pinned_at !== null) return 'pinned'
        if ((await countPinned(trx, chat_id)) >= most) return 'full'
        await trx.updateTable('chat_messages').set({ pinned_at: now }).where('id', '=', id).execute()
        return 'pinned'
      }),

    async unpin(id: string): Promise<void> {
      await db().updateTable('chat_messages').set({ pinned_at: null }).where('id', '=', id).execute()
    },

    /** At most `limit` pinned messages, of all branches, oldest first. */
    async list(chatId: string, limit: number): Promise<MessageRow[]> {
      return db()
        .selectFrom('chat_messages')
        .selectAll()
        .where('chat_id', '=', chatId)
        .where('pinned_at', 'is not', null)
        .where('deleted_at', 'is', null)
        .orderBy('created_at')
        .orderBy('id')
        .limit(limit)
        .execute()
    },

    /** The ids of those that are on the path which ends at a leaf. */
    async listOnPath(chatId: string, leafId: string): Promise<Set<string>> {
      const { rows } = await sql<{ id: string }>`
        with recursive path (id, parent_id, pinned_at) as (
          select id, parent_id, pinned_at from chat_messages where id = ${leafId} and chat_id = ${chatId}
          union all
          select m.id, m.parent_id, m.pinned_at from path join chat_messages m on m.id = path.parent_id
        )
        select id from path where pinned_at is not null`.execute(db())
      return new Set(rows.map(({ id }) => id))
    },
  }
}

const countPinned = async (tables: Kysely<ChatTables>, chatId: string): Promise<number> => {
  const { count } = await tables
    .selectFrom('chat_messages')
    .select((by) => by.fn.countAll<number>().as('count'))
    .where('chat_id', '=', chatId)
    .where('pinned_at', 'is not', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** SQL of queued prompts and drafts. */
import type { Transaction } from 'kysely'
import type { Database } from '../../../platform/db/types.ts'
import { runUnread } from '../../../platform/db/unread.ts'
import type { ChatTables, DraftRow, QueueRow } from '../tables.ts'

type Trx = Transaction<ChatTables>

export const createQueueStore = (database: Database) => {
  const db = () => database.tables<ChatTables>()
  return {
    list: (chatId: string): Promise<QueueRow[]> =>
      db()
        .selectFrom('chat_queue')
        .selectAll()
        .where('chat_id', '=', chatId)
        .orderBy('position')
        .orderBy('id')
        .execute(),

    async first(chatId: string): Promise<QueueRow | null> {
      const row = await db()
        .selectFrom('chat_queue')
        .selectAll()
        .where('chat_id', '=', chatId)
        .orderBy('position')
        .orderBy('id')
        .limit(1)
        .executeTakeFirst()
      return row ?? null
    },

    /**
     * Puts a prompt at the end; false when the chat has `max` already. An id that is there already stays as it is.
     * Nothing was paused where nothing waited: the first prompt begins a queue that runs.
     */
    async append(trx: Trx, row: Omit<QueueRow, 'position'>, max: number): Promise<boolean> {
      const { count, last } = await trx
        .selectFrom('chat_queue')
        .where('chat_id', '=', row.chat_id)
        .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.max('position').as('last')])
        .executeTakeFirstOrThrow()
      if (Number(count) >= max) return false
      if (Number(count) === 0) {
        await trx.updateTable('chat_sessions').set({ queue_held: 0 }).where('id', '=', row.chat_id).execute()
      }
      await trx
        .insertInto('chat_queue')
        .values({ ...row, position: Number(last ?? 0) + 1 })
        .execute()
      return true
    },

    async anyOfId(id: string): Promise<QueueRow | null> {
      return (await db().selectFrom('chat_queue').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
    },

    /** Pauses what waits; where nothing does, there is nothing to pause. */
    async pause(chatId: string): Promise<void> {
      await db()
        .updateTable('chat_sessions')
        .set({ queue_held: 1 })
        .where('id', '=', chatId)
        .where((eb) => eb.exists(eb.selectFrom('chat_queue').select('id').where('chat_id', '=', chatId)))
        .execute()
    },

    /** Gives the queue this order; entries that are not named stay behind, as they were. */
    reorder: (chatId: string, order: readonly string[]): Promise<void> =>
      database.write<ChatTables, void>(async (trx) => {
        const rows = await trx
          .selectFrom('chat_queue')
          .select('id')
          .where('chat_id', '=', chatId)
          .orderBy('position')
          .orderBy('id')
          .execute()
        const there = new Set(rows.map((row) => row.id))
        const named = [...new Set(order)].filter((id) => there.has(id))
        const rest = rows.map((row) => row.id).filter((id) => !named.includes(id))
        for (const [index, id] of [...named, ...rest].entries()) {
          await trx
            .updateTable('chat_queue')
            .set({ position: index + 1 })
            .where('id', '=', id)
            .execute()
        }
      }),

    async update(chatId: string, id: string, content: Uint8Array): Promise<boolean> {
      const { numUpdatedRows } = await db()
        .updateTable('chat_queue')
        .set({ content })
        .where('id', '=', id)
        .where('chat_id', '=', chatId)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    async read(chatId: string, id: string): Promise<QueueRow | null> {
      const row = await db()
        .selectFrom('chat_queue')
        .selectAll()
        .where('id', '=', id)
        .where('chat_id', '=', chatId)
        .executeTakeFirst()
      return row ?? null
    },

    /** Takes a prompt out; true for exactly one caller. */
    async take(trx: Trx, chatId: string, id: string): Promise<boolean> {
      const { numDeletedRows } = await trx
        .deleteFrom('chat_queue')
        .where('id', '=', id)
        .where('chat_id', '=', chatId)
        .executeTakeFirstOrThrow()
      if (numDeletedRows === 0n) return false
      await runUnread(trx, trx.deleteFrom('chat_attachment_uses').where('holder_id', '=', `queue:${id}`))
      return true
    },

    async readDraft(id: string): Promise<DraftRow | null> {
      return (await db().selectFrom('chat_drafts').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
    },

    async writeDraft(trx: Trx, row: DraftRow): Promise<void> {
      await trx
        .insertInto('chat_drafts')
        .values(row)
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ content: row.content, quotes: row.quotes }))
        .execute()
    },

    async removeDraft(trx: Trx, id: string): Promise<void> {
      await runUnread(trx, trx.deleteFrom('chat_drafts').where('id', '=', id))
      await runUnread(trx, trx.deleteFrom('chat_attachment_uses').where('holder_id', '=', `draft:${id}`))
    },
  }
}

/** SQL for messages that leave the middle of a chat: what followed them hangs on what stood before, and back again. */
import { type Transaction, sql } from 'kysely'
import { z } from 'zod'
import type { ChatTables, MessageRow } from '../tables.ts'

type Trx = Transaction<ChatTables>

/** Which message followed which one before it was relinked. */
const Relinks = z.array(z.strictObject({ id: z.string(), parentId: z.string() }))
export type Relinks = z.infer<typeof Relinks>

export const relinksToText = (relinked: Relinks): string => JSON.stringify(relinked)
export const textToRelinks = (text: string | null): Relinks => (text === null ? [] : Relinks.parse(JSON.parse(text)))

export const relinkStore = {
  /** All that hangs on one of these, in the trash or not: what is there now finds its way back there later. */
  childrenIn: (trx: Trx, chatId: string, parentIds: readonly string[]): Promise<MessageRow[]> =>
    trx
      .selectFrom('chat_messages')
      .selectAll()
      .where('chat_id', '=', chatId)
      .where('parent_id', 'in', parentIds)
      .orderBy('created_at')
      .orderBy('id')
      .execute(),

  /** Which of these hang on this message now. */
  async followersIn(trx: Trx, chatId: string, parentId: string | null, ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set()
    const rows = await trx
      .selectFrom('chat_messages')
      .select('id')
      .where('chat_id', '=', chatId)
      .where('parent_id', parentId === null ? 'is' : '=', parentId)
      .where('id', 'in', ids)
      .execute()
    return new Set(rows.map(({ id }) => id))
  },

  /** Hangs messages, with all below them, on another one; their depths follow. */
  async moveIn(trx: Trx, chatId: string, ids: readonly string[], parentId: string | null, by: number): Promise<void> {
    if (ids.length === 0) return
    await trx.updateTable('chat_messages').set({ parent_id: parentId }).where('id', 'in', ids).execute()
    await sql`
      with recursive tree (id) as (${branchesBelow(chatId, ids)})
      update chat_messages set depth = depth + ${by}
        where chat_id = ${chatId} and (id in (select id from tree) or covers_to_id in (select id from tree))`.execute(
      trx,
    )
  },

  /** Throws these away, without what follows; with them the summaries of what they are a part of. */
  async trashIn(trx: Trx, chatId: string, ids: readonly string[], trashId: string, now: number): Promise<void> {
    await sql`
      with recursive tree (id) as (${branchesBelow(chatId, ids)})
      update chat_messages set deleted_at = ${now}, trash_id = ${trashId}, version = version + 1
        where chat_id = ${chatId} and deleted_at is null
          and (id in (${sql.join(ids)}) or (role = 'summary' and covers_to_id in (select id from tree)))`.execute(trx)
  },

  /** Drops summaries of these and of what follows: they were written without them. */
  async dropSummariesIn(trx: Trx, chatId: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    await sql`
      with recursive tree (id) as (${branchesBelow(chatId, ids)})
      delete from chat_messages where chat_id = ${chatId} and role = 'summary' and deleted_at is null
        and covers_to_id in (select id from tree)`.execute(trx)
  },
}

const branchesBelow = (chatId: string, ids: readonly string[]) => sql`
  select id from chat_messages where chat_id = ${chatId} and id in (${sql.join(ids)})
  union all
  select m.id from tree join chat_messages m on m.parent_id = tree.id and m.chat_id = ${chatId}`

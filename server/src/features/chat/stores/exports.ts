/** SQL for those who take all chats of an account along, or count them. */
import type { Database } from '../../../platform/db/types.ts'
import type { AttachmentRow, ChatTables, MessageRow, SessionRow } from '../tables.ts'
import { notTemporary } from './sessions.ts'

const atOnce = 100

export const createExportingStore = (database: Database) => {
  const db = () => database.tables<ChatTables>()
  return {
    async count(accountId: string, table: 'chat_sessions' | 'chat_messages'): Promise<number> {
      const { count } = await db()
        .selectFrom(table)
        .select((by) => by.fn.countAll<number>().as('count'))
        .where('account_id', '=', accountId)
        .where(notTemporary(table === 'chat_sessions' ? 'id' : 'chat_id'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    chats: (accountId: string): AsyncIterable<SessionRow> =>
      byId((after) =>
        db()
          .selectFrom('chat_sessions')
          .selectAll()
          .where('account_id', '=', accountId)
          .where('ready', '=', 1)
          .where('expires_at', 'is', null)
          .where('id', '>', after)
          .orderBy('id')
          .limit(atOnce)
          .execute(),
      ),

    /** All messages of a chat, oldest first, slice by slice. */
    async *messages(chatId: string, limit: number): AsyncIterable<MessageRow[]> {
      let place: { created_at: number; id: string } | null = null
      for (;;) {
        const after: { created_at: number; id: string } | null = place
        let query = db()
          .selectFrom('chat_messages')
          .selectAll()
          .where('chat_id', '=', chatId)
          .where('deleted_at', 'is', null)
          .orderBy('created_at')
          .orderBy('id')
          .limit(limit)
        if (after)
          query = query.where((by) => by(by.refTuple('created_at', 'id'), '>', by.tuple(after.created_at, after.id)))
        const rows: MessageRow[] = await query.execute()
        if (rows.length > 0) yield rows
        const last = rows.at(-1)
        if (!last || rows.length < limit) return
        place = last
      }
    },

    /** Without those that only temporary chats use. */
    attachments: (accountId: string): AsyncIterable<AttachmentRow> =>
      byId((after) =>
        db()
          .selectFrom('chat_attachments as attachment')
          .selectAll()
          .where('account_id', '=', accountId)
          .where('id', '>', after)
          .where((eb) => {
            const uses = eb
              .selectFrom('chat_attachment_uses')
              .select('holder_id')
              .whereRef('attachment_id', '=', 'attachment.id')
            const kept = uses.where((use) => use.or([use('chat_id', 'is', null), notTemporary('chat_id')]))
            return eb.or([eb.not(eb.exists(uses)), eb.exists(kept)])
          })
          .orderBy('id')
          .limit(atOnce)
          .execute(),
      ),
  }
}

/** Rows by their ids, slice by slice. `read` gives at most `atOnce` rows behind an id, in the order of ids. */
async function* byId<Row extends { readonly id: string }>(read: (after: string) => Promise<Row[]>): AsyncIterable<Row> {
  for (let after = ''; ; ) {
    const rows = await read(after)
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < atOnce) return
    after = last.id
  }
}

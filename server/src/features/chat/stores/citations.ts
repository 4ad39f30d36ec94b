/** SQL of which answers cite which documents. Rows go away with their message, and with their document. */
import { type SqlBool, type Transaction, sql } from 'kysely'
import type { CursorKey } from '../../../platform/db/cursor.ts'
import type { Database } from '../../../platform/db/types.ts'
import type { ChatTables, MessageRow } from '../tables.ts'

type Trx = Transaction<ChatTables>

/** As the index of what is due says it, in its very words: so it is used. */
const isDue = sql<SqlBool>`citations_noted = 0 and role = 'assistant'`

/** A chat with answers that cite a document, and the newest of them. */
export interface CitingChatRow {
  readonly chat_id: string
  readonly title: Uint8Array
  readonly answers: number
  readonly message_id: string
  readonly created_at: number
}

export const createCitationStore = (database: Database) => {
  const db = () => database.tables<ChatTables>()
  return {
    /** Notes what an answer cites. An answer or a document that went away meanwhile leaves nothing behind. */
    async putIn(trx: Trx, messageId: string, documentIds: readonly string[]): Promise<void> {
      if (documentIds.length === 0) return
      await sql`insert into chat_citations (message_id, document_id, account_id)
        select m.id, d.id, m.account_id from chat_messages m, documents d
          where m.id = ${messageId} and d.id in (${sql.join(documentIds)})
        on conflict do nothing`.execute(trx)
    },

    /** The live chats of an account with live answers that cite a document, the latest answer first. */
    async chats(
      accountId: string,
      documentId: string,
      limit: number,
      after: CursorKey | null,
    ): Promise<CitingChatRow[]> {
      const behind = after
        ? sql`and (created_at < ${after.time} or (created_at = ${after.time} and message_id < ${after.id}))`
        : sql``
      const { rows } = await sql<CitingChatRow>`
        select chat_id, title, answers, message_id, created_at from (
          select m.chat_id, s.title, m.id as message_id, m.created_at,
            count(*) over (partition by m.chat_id) as answers,
            row_number() over (partition by m.chat_id order by m.created_at desc, m.id desc) as place
          from chat_citations c
            join chat_messages m on m.id = c.message_id
            join chat_sessions s on s.id = m.chat_id
          where c.document_id = ${documentId} and c.account_id = ${accountId} and s.account_id = ${accountId}
            and m.deleted_at is null and s.deleted_at is null and s.ready = 1 and s.expires_at is null
        ) as cited
        where place = 1 ${behind}
        order by created_at desc, message_id desc limit ${limit}`.execute(db())
      return rows.map((row) => ({ ...row, answers: Number(row.answers) }))
    },

    /** Some answers of one account from before citations were noted. */
    async due(limit: number): Promise<Pick<MessageRow, 'id' | 'account_id' | 'content'>[]> {
      const next = await db()
        .selectFrom('chat_messages')
        .select('account_id')
        .where(isDue)
        .orderBy('account_id')
        .limit(1)
        .executeTakeFirst()
      if (!next) return []
      return db()
        .selectFrom('chat_messages')
        .select(['id', 'account_id', 'content'])
        .where(isDue)
        .where('account_id', '=', next.account_id)
        .orderBy('id')
        .limit(limit)
        .execute()
    },

    async markNoted(trx: Trx, messageIds: readonly string[]): Promise<void> {
      await trx.updateTable('chat_messages').set({ citations_noted: 1 }).where('id', 'in', messageIds).execute()
    },
  }
}

/** SQL of the links by which chats are shared. */
import { type Kysely, type SqlBool, sql } from 'kysely'
import { createLinkStore } from '../../../core/access/index.ts'
import { cutPage, decodeCursor } from '../../../platform/db/cursor.ts'
import type { Database } from '../../../platform/db/types.ts'
import type { ChatLinkRow, ChatTables, SessionRow } from '../tables.ts'

/** A link that works now, and the chat that it shows. */
export interface LiveChatLink {
  readonly link: ChatLinkRow
  readonly chat: SessionRow
}

export const createChatLinkStore = (database: Database) => {
  const db = () => database.tables<ChatTables>()

  /** In time, of a chat that others may see, of an account that may sign in. */
  const live = (tables: Kysely<ChatTables>, now: number) =>
    tables
      .selectFrom('chat_links as link')
      .innerJoin('chat_sessions as chat', 'chat.id', 'link.chat_id')
      .where('link.expires_at', '>', now)
      .where('chat.deleted_at', 'is', null)
      .where('chat.ready', '=', 1)
      .where('chat.expires_at', 'is', null)
      .where(
        sql<SqlBool>`exists (select 1 from accounts where accounts.id = chat.account_id and accounts.status = 'active')`,
      )

  return Object.assign(createLinkStore<ChatLinkRow>(database, { table: 'chat_links', thing: 'chat_id' }), {
    async find(column: 'id' | 'secret_digest', value: string, now: number): Promise<LiveChatLink | null> {
      const link = await live(db(), now).selectAll('link').where(`link.${column}`, '=', value).executeTakeFirst()
      if (!link) return null
      const chat = await db().selectFrom('chat_sessions').selectAll().where('id', '=', link.chat_id).executeTakeFirst()
      return chat ? { link, chat } : null
    },

    async read(id: string, accountId: string, now: number): Promise<ChatLinkRow | null> {
      const row = await db()
        .selectFrom('chat_links')
        .selectAll()
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where('expires_at', '>', now)
        .executeTakeFirst()
      return row ?? null
    },

    /** What the links of these ids show; those that do not work any more are left out. */
    async states(ids: readonly string[], now: number) {
      if (ids.length === 0) return new Map()
      const rows = await live(db(), now)
        .select(['link.id', 'link.password', 'chat.updated_at', 'chat.active_leaf_id', 'chat.running_generation_id'])
        .where('link.id', 'in', ids)
        .execute()
      return new Map(rows.map(({ id, ...state }) => [id, state]))
    },

    /** The links of an account, newest first, with the chats that they show. Refuses with `bad_cursor`. */
    async page(
      accountId: string,
      now: number,
      limit: number,
      cursor: string | undefined,
    ): Promise<{ items: (ChatLinkRow & { title: Uint8Array })[]; nextCursor: string | null }> {
      let query = db()
        .selectFrom('chat_links as link')
        .innerJoin('chat_sessions as chat', 'chat.id', 'link.chat_id')
        .selectAll('link')
        .select('chat.title')
        .where('link.account_id', '=', accountId)
        .where('link.expires_at', '>', now)
        .where('chat.deleted_at', 'is', null)
        .orderBy('link.created_at', 'desc')
        .orderBy('link.id', 'desc')
        .limit(limit + 1)
      if (cursor !== undefined) {
        const { time, id } = decodeCursor(cursor)
        query = query.where((by) => by(by.refTuple('link.created_at', 'link.id'), '<', by.tuple(time, id)))
      }
      return cutPage(await query.execute(), limit, (row) => ({ time: row.created_at, id: row.id }))
    },
  })
}

/** SQL of the links by which chats are shared. */
import { type Kysely, type SqlBool, sql } from 'kysely'
import { cutPage, decodeCursor } from '../../../platform/db/cursor.ts'
import type { AnyTransaction, Database } from '../../../platform/db/types.ts'
import type { ChatTables, LinkRow, SessionRow } from '../tables.ts'

/** A link that works now, and the chat that it shows. */
export interface LiveLink {
  readonly link: LinkRow
  readonly chat: SessionRow
}

/** What visitors of a link have before them; another one when there is something new. */
export type LinkState = Pick<SessionRow, 'updated_at' | 'active_leaf_id' | 'running_generation_id'>

type Record = (trx: AnyTransaction, row: LinkRow) => Promise<void>

export const createLinkStore = (database: Database) => {
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

  const find = async (column: 'id' | 'secret_digest', value: string, now: number): Promise<LiveLink | null> => {
    const link = await live(db(), now).selectAll('link').where(`link.${column}`, '=', value).executeTakeFirst()
    if (!link) return null
    const chat = await db().selectFrom('chat_sessions').selectAll().where('id', '=', link.chat_id).executeTakeFirst()
    return chat ? { link, chat } : null
  }

  return {
    findById: (id: string, now: number) => find('id', id, now),
    findBySecret: (digest: string, now: number) => find('secret_digest', digest, now),

    /** What the links of these ids show; those that do not work any more are left out. */
    async states(ids: readonly string[], now: number): Promise<Map<string, LinkState>> {
      if (ids.length === 0) return new Map()
      const rows = await live(db(), now)
        .select(['link.id', 'chat.updated_at', 'chat.active_leaf_id', 'chat.running_generation_id'])
        .where('link.id', 'in', ids)
        .execute()
      return new Map(rows.map(({ id, ...state }) => [id, state]))
    },

    ofChat: (chatId: string, now: number): Promise<LinkRow[]> =>
      db()
        .selectFrom('chat_links')
        .selectAll()
        .where('chat_id', '=', chatId)
        .where('expires_at', '>', now)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute(),

    /** The links of an account, newest first, with the chats that they show. Refuses with `bad_cursor`. */
    async page(
      accountId: string,
      now: number,
      limit: number,
      cursor: string | undefined,
    ): Promise<{ items: (LinkRow & { title: Uint8Array })[]; nextCursor: string | null }> {
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

    /** How many links that work each of these chats has; those without one are left out. */
    async countByChat(chatIds: readonly string[], now: number): Promise<Map<string, number>> {
      if (chatIds.length === 0) return new Map()
      const rows = await db()
        .selectFrom('chat_links')
        .select((by) => ['chat_id', by.fn.countAll<number>().as('count')])
        .where('chat_id', 'in', chatIds)
        .where('expires_at', '>', now)
        .groupBy('chat_id')
        .execute()
      return new Map(rows.map(({ chat_id, count }) => [chat_id, Number(count)]))
    },

    /** false: the chat has as many as it may. */
    insert: (row: LinkRow, most: number, record: Record): Promise<boolean> =>
      database.write<ChatTables, boolean>(async (trx) => {
        const { count } = await trx
          .selectFrom('chat_links')
          .select((by) => by.fn.countAll<number>().as('count'))
          .where('chat_id', '=', row.chat_id)
          .where('expires_at', '>', row.created_at)
          .executeTakeFirstOrThrow()
        if (Number(count) >= most) return false
        await trx.insertInto('chat_links').values(row).execute()
        await record(trx, row)
        return true
      }, 'audit'),

    /** Of an account alone. null: there is none. */
    remove: (id: string, accountId: string, record: Record): Promise<LinkRow | null> =>
      database.write<ChatTables, LinkRow | null>(async (trx) => {
        const row = await trx
          .deleteFrom('chat_links')
          .where('id', '=', id)
          .where('account_id', '=', accountId)
          .returningAll()
          .executeTakeFirst()
        if (row) await record(trx, row)
        return row ?? null
      }, 'audit'),

    /** Removes some whose time is over; gives how many. */
    removeEnded: (now: number, limit: number, record: Record): Promise<number> =>
      database.write<ChatTables, number>(async (trx) => {
        const some = await trx
          .selectFrom('chat_links')
          .select('id')
          .where('expires_at', '<=', now)
          .orderBy('expires_at')
          .limit(limit)
          .execute()
        if (some.length === 0) return 0
        const ids = some.map(({ id }) => id)
        const rows = await trx.deleteFrom('chat_links').where('id', 'in', ids).returningAll().execute()
        for (const row of rows) await record(trx, row)
        return rows.length
      }, 'audit'),

    /** Counts a try of the password before it is compared. false: there were `most` wrong ones since `since`. */
    takeTry: (id: string, now: number, since: number, most: number): Promise<boolean> =>
      database.write<ChatTables, boolean>(async (trx) => {
        const row = await trx
          .selectFrom('chat_links')
          .select(['wrong_passwords', 'wrong_since'])
          .where('id', '=', id)
          .executeTakeFirst()
        if (!row) return false
        const goesOn = row.wrong_since > since
        if (goesOn && row.wrong_passwords >= most) return false
        const counted = goesOn
          ? { wrong_passwords: row.wrong_passwords + 1, wrong_since: row.wrong_since }
          : { wrong_passwords: 1, wrong_since: now }
        await trx.updateTable('chat_links').set(counted).where('id', '=', id).execute()
        return true
      }),

    /** A try was right, and counts for nothing. */
    async returnTry(id: string): Promise<void> {
      await db()
        .updateTable('chat_links')
        .set((by) => ({ wrong_passwords: by('wrong_passwords', '-', 1) }))
        .where('id', '=', id)
        .where('wrong_passwords', '>', 0)
        .execute()
    },
  }
}

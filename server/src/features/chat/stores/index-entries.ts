/** SQL of what the index of words does not know yet, and of what it found. */
import type { Transaction } from 'kysely'
import type { Database } from '../../../platform/db/types.ts'
import { runOptimistic } from '../../../platform/db/unread.ts'
import type { ChatTables, MessageRow, SessionRow } from '../tables.ts'
import { notTemporary } from './sessions.ts'

type Trx = Transaction<ChatTables>

/** A message with where its chat is. */
export type DueMessage = Pick<
  MessageRow,
  'id' | 'chat_id' | 'role' | 'content' | 'attachment_count' | 'created_at' | 'deleted_at' | 'version'
> & { readonly chat_deleted_at: number | null }

type Versioned = Pick<MessageRow, 'id' | 'version'>

export const createIndexingStore = (database: Database) => {
  const db = () => database.tables<ChatTables>()
  return {
    /** The next account, by id, that has something the index does not know. */
    async nextAccount(after: string): Promise<string | null> {
      const of = async (table: 'chat_messages' | 'chat_sessions'): Promise<string | null> => {
        const row = await db()
          .selectFrom(table)
          .select('account_id')
          .where('account_id', '>', after)
          .whereRef('indexed_version', '<', 'version')
          .where(notTemporary(table === 'chat_sessions' ? 'id' : 'chat_id'))
          .orderBy('account_id')
          .limit(1)
          .executeTakeFirst()
        return row?.account_id ?? null
      }
      const [first, second] = await Promise.all([of('chat_messages'), of('chat_sessions')])
      return first === null || (second !== null && second < first) ? second : first
    },

    /** Of everybody. */
    async countDue(): Promise<{ chats: number; messages: number }> {
      const of = async (table: 'chat_messages' | 'chat_sessions'): Promise<number> => {
        const { count } = await db()
          .selectFrom(table)
          .select((by) => by.fn.countAll<number>().as('count'))
          .whereRef('indexed_version', '<', 'version')
          .where(notTemporary(table === 'chat_sessions' ? 'id' : 'chat_id'))
          .executeTakeFirstOrThrow()
        return Number(count)
      }
      const [chats, messages] = await Promise.all([of('chat_sessions'), of('chat_messages')])
      return { chats, messages }
    },

    dueSessions: (accountId: string, limit: number): Promise<SessionRow[]> =>
      db()
        .selectFrom('chat_sessions')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('ready', '=', 1)
        .where('expires_at', 'is', null)
        .whereRef('indexed_version', '<', 'version')
        .orderBy('created_at', 'desc')
        .limit(limit)
        .execute(),

    /** Chat by chat, because the index keeps together what comes together. Answers come when they are written. */
    dueMessages: (accountId: string, limit: number): Promise<DueMessage[]> =>
      db()
        .selectFrom('chat_messages as m')
        .innerJoin('chat_sessions as s', 's.id', 'm.chat_id')
        .select(['m.id', 'm.chat_id', 'm.role', 'm.content', 'm.attachment_count', 'm.created_at'])
        .select(['m.deleted_at', 'm.version', 's.deleted_at as chat_deleted_at'])
        .where('m.account_id', '=', accountId)
        .where('m.status', '!=', 'running')
        .where('s.ready', '=', 1)
        .where('s.expires_at', 'is', null)
        .whereRef('m.indexed_version', '<', 'm.version')
        .orderBy('m.chat_id')
        .limit(limit)
        .execute(),

    /** Whether there is something of an account from before there was an index. */
    async fromBefore(accountId: string): Promise<boolean> {
      const of = async (table: 'chat_messages' | 'chat_sessions'): Promise<boolean> => {
        const row = await db()
          .selectFrom(table)
          .select('id')
          .where('account_id', '=', accountId)
          .whereRef('indexed_version', '<', 'version')
          .where('indexed_version', '=', -1)
          .limit(1)
          .executeTakeFirst()
        return row !== undefined
      }
      return (await of('chat_messages')) || of('chat_sessions')
    },

    /** Notes which versions the index knows now. Where a row is gone, the transaction fails: nothing of it comes back. */
    async note(trx: Trx, table: 'chat_messages' | 'chat_sessions', rows: readonly Versioned[]): Promise<void> {
      for (const [version, same] of Map.groupBy(rows, (row) => row.version)) {
        const ids = same.map(({ id }) => id)
        const noting = trx.updateTable(table).set({ indexed_version: version }).where('id', 'in', ids)
        await runOptimistic(trx, noting, ids.length)
      }
    },

    /** Live messages of live chats. */
    messages: (accountId: string, ids: readonly string[]): Promise<MessageRow[]> =>
      ids.length === 0
        ? Promise.resolve([])
        : db()
            .selectFrom('chat_messages')
            .selectAll('chat_messages')
            .innerJoin('chat_sessions as s', 's.id', 'chat_messages.chat_id')
            .where('chat_messages.id', 'in', ids)
            .where('chat_messages.account_id', '=', accountId)
            .where('chat_messages.deleted_at', 'is', null)
            .where('s.deleted_at', 'is', null)
            .where('s.ready', '=', 1)
            .where('s.expires_at', 'is', null)
            .execute(),

    /** Live chats. */
    sessions: (accountId: string, ids: readonly string[]): Promise<SessionRow[]> =>
      ids.length === 0
        ? Promise.resolve([])
        : db()
            .selectFrom('chat_sessions')
            .selectAll()
            .where('id', 'in', ids)
            .where('account_id', '=', accountId)
            .where('deleted_at', 'is', null)
            .where('ready', '=', 1)
            .where('expires_at', 'is', null)
            .execute(),

    /** The newest messages of some chats, for searches without words. */
    async latest(
      chatIds: readonly string[],
      of: {
        readonly role?: 'user' | 'assistant' | undefined
        readonly after: number | null
        readonly before: number | null
      },
      limit: number,
    ): Promise<MessageRow[]> {
      if (chatIds.length === 0) return []
      let query = db()
        .selectFrom('chat_messages')
        .selectAll()
        .where('chat_id', 'in', chatIds)
        .where('deleted_at', 'is', null)
        .where('role', '!=', 'summary')
      if (of.role) query = query.where('role', '=', of.role)
      if (of.after !== null) query = query.where('created_at', '>=', of.after)
      if (of.before !== null) query = query.where('created_at', '<', of.before)
      return query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
    },
  }
}

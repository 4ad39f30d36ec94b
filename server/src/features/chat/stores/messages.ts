/** SQL of the messages. Everything walks from a message along its pointers: no query reads a whole chat. */
import { type Kysely, type Transaction, type Updateable, sql } from 'kysely'
import type { Database } from '../../../platform/db/types.ts'
import { runUnread } from '../../../platform/db/unread.ts'
import type { ChatTables, MessageRow } from '../tables.ts'

type Trx = Transaction<ChatTables>
type KeptByCopies = 'pinned_at' | 'branch_name'
export type NewMessageRow = Omit<MessageRow, 'version' | 'indexed_version' | 'citations_noted' | KeptByCopies> &
  Partial<Pick<MessageRow, KeptByCopies>>
/** Where a message stands among the others, without what it says. */
export type PlaceRow = Pick<MessageRow, 'id' | 'parent_id' | 'role' | 'active_child_id' | 'pinned_at' | 'created_at'>

/** Other words are something that the index has to know. */
const withNextVersion = (patch: Updateable<MessageRow>) =>
  'content' in patch ? { ...patch, version: sql<number>`version + 1` } : patch

export const createMessageStore = (database: Database) => {
  const db = () => database.tables<ChatTables>()
  return {
    async insertIn(trx: Trx, ...rows: readonly NewMessageRow[]): Promise<void> {
      const values = rows.map((row) => ({
        ...row,
        version: row.role === 'summary' || row.status === 'running' ? 0 : 1,
        indexed_version: 0,
        citations_noted: 1,
        pinned_at: row.pinned_at ?? null,
        branch_name: row.branch_name ?? null,
      }))
      await trx.insertInto('chat_messages').values(values).execute()
    },

    read: (chatId: string, id: string) => readMessage(db(), chatId, id),
    readIn: (trx: Trx, chatId: string, id: string) => readMessage(trx, chatId, id),

    /** A message of this id, in whatever chat; to tell a repeat from a clash. */
    async anyOfId(id: string): Promise<MessageRow | null> {
      return (await db().selectFrom('chat_messages').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
    },

    /** Whether a chat has files that were asked about, or answers that cite documents. */
    async haveMaterial(chatId: string): Promise<boolean> {
      const { rows } = await sql`
        select 1 from chat_messages m where m.chat_id = ${chatId} and m.deleted_at is null
          and ((m.role = 'user' and m.attachment_count > 0)
            or exists (select 1 from chat_citations c where c.message_id = m.id))
        limit 1`.execute(db())
      return rows.length > 0
    },

    /** Where the branches of a chat begin. */
    async roots(chatId: string): Promise<Pick<MessageRow, 'id' | 'content'>[]> {
      return await db()
        .selectFrom('chat_messages')
        .select(['id', 'content'])
        .where('chat_id', '=', chatId)
        .where('parent_id', 'is', null)
        .where('role', '<>', 'summary')
        .where('deleted_at', 'is', null)
        .limit(20)
        .execute()
    },

    /** An answer to this question that was asked for with this digest. */
    async answerTo(chatId: string, questionId: string, digest: string): Promise<MessageRow | null> {
      const row = await db()
        .selectFrom('chat_messages')
        .selectAll()
        .where('chat_id', '=', chatId)
        .where('parent_id', '=', questionId)
        .where('digest', '=', digest)
        .executeTakeFirst()
      return row ?? null
    },

    async update(id: string, patch: Updateable<MessageRow>): Promise<void> {
      await db().updateTable('chat_messages').set(withNextVersion(patch)).where('id', '=', id).execute()
    },
    async updateIn(trx: Trx, id: string, patch: Updateable<MessageRow>): Promise<void> {
      await runUnread(trx, trx.updateTable('chat_messages').set(withNextVersion(patch)).where('id', '=', id))
    },

    /** Takes a message out of its waiting, once; false when something else did. */
    async leaveWaitingIn(trx: Trx, id: string, patch: Updateable<MessageRow>): Promise<boolean> {
      const { numUpdatedRows } = await trx
        .updateTable('chat_messages')
        .set(withNextVersion(patch))
        .where('id', '=', id)
        .where('status', '=', 'waiting')
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    /** At most `limit` messages from `leafId` upwards, newest first. */
    async upwards(chatId: string, leafId: string, limit: number): Promise<MessageRow[]> {
      const { rows } = await sql<MessageRow>`
        with recursive path (id, parent_id, n) as (
          select id, parent_id, 1 from chat_messages
            where id = ${leafId} and chat_id = ${chatId} and deleted_at is null and role <> 'summary'
          union all
          select m.id, m.parent_id, path.n + 1 from path join chat_messages m on m.id = path.parent_id
            where path.n < ${limit}
        )
        select m.* from path join chat_messages m on m.id = path.id order by path.n`.execute(db())
      return rows
    },

    /** At most `limit` messages below `id` along the path that was last active, in reading order. */
    async downwards(chatId: string, id: string, limit: number): Promise<MessageRow[]> {
      const { rows } = await sql<MessageRow>`
        with recursive path (id, active_child_id, n) as (
          select id, active_child_id, 0 from chat_messages where id = ${id} and chat_id = ${chatId}
          union all
          select m.id, m.active_child_id, path.n + 1 from path join chat_messages m on m.id = path.active_child_id
            where path.n < ${limit} and m.deleted_at is null
        )
        select m.* from path join chat_messages m on m.id = path.id where path.n > 0 order by path.n`.execute(db())
      return rows
    },

    siblings: (chatId: string, parentId: string | null) => readSiblings(db(), chatId, parentId),
    siblingsIn: (trx: Trx, chatId: string, parentId: string | null) => readSiblings(trx, chatId, parentId),

    /** Ids of all children of these parents (null: of the root), oldest first. */
    async childIds(
      chatId: string,
      parentIds: readonly string[],
      root: boolean,
    ): Promise<{ id: string; parent_id: string | null }[]> {
      return db()
        .selectFrom('chat_messages')
        .select(['id', 'parent_id'])
        .where('chat_id', '=', chatId)
        .where('deleted_at', 'is', null)
        .where('role', '!=', 'summary')
        .where((eb) => {
          const among = parentIds.length > 0 ? [eb('parent_id', 'in', parentIds)] : []
          return eb.or(root ? [...among, eb('parent_id', 'is', null)] : among)
        })
        .orderBy('created_at')
        .orderBy('id')
        .execute()
    },

    /** The end of the branch below a message, along the children that were last active. */
    endOf: (trx: Trx, chatId: string, id: string): Promise<string> => readEnd(trx, chatId, id),

    /** Whether the path that ends at a leaf leads over a message. */
    async isOnPath(chatId: string, id: string, leafId: string | null): Promise<boolean> {
      return leafId !== null && (await readEnd(db(), chatId, id)) === leafId
    },

    /** How all messages of a chat hang together, oldest first: the one walk over all branches, which opens nothing. */
    async listPlaces(chatId: string): Promise<PlaceRow[]> {
      return db()
        .selectFrom('chat_messages')
        .select(['id', 'parent_id', 'role', 'active_child_id', 'pinned_at', 'created_at'])
        .where('chat_id', '=', chatId)
        .where('deleted_at', 'is', null)
        .where('role', '!=', 'summary')
        .orderBy('created_at')
        .orderBy('id')
        .execute()
    },

    /** What these messages say and their branches are called, by their ids. */
    async contents(ids: readonly string[]): Promise<Map<string, Pick<MessageRow, 'id' | 'content' | 'branch_name'>>> {
      if (ids.length === 0) return new Map()
      const rows = await db()
        .selectFrom('chat_messages')
        .select(['id', 'content', 'branch_name'])
        .where('id', 'in', ids)
        .execute()
      return new Map(rows.map((row) => [row.id, row]))
    },

    /** Makes every message above this one go on with it. */
    async activateAncestors(trx: Trx, chatId: string, id: string): Promise<void> {
      await sql`
        with recursive path (id, parent_id) as (
          select id, parent_id from chat_messages where id = ${id} and chat_id = ${chatId}
          union all
          select m.id, m.parent_id from path join chat_messages m on m.id = path.parent_id
        )
        update chat_messages
          set active_child_id = (select path.id from path where path.parent_id = chat_messages.id)
          where id in (select parent_id from path where parent_id is not null)`.execute(trx)
    },

    /** The deepest summary that stands on the path above a leaf. */
    async summaryOnPath(trx: Kysely<ChatTables>, chatId: string, leafId: string | null): Promise<string | null> {
      if (leafId === null) return null
      const any = await trx
        .selectFrom('chat_messages')
        .select('id')
        .where('chat_id', '=', chatId)
        .where('role', '=', 'summary')
        .where('deleted_at', 'is', null)
        .limit(1)
        .executeTakeFirst()
      if (!any) return null
      const { rows } = await sql<{ id: string }>`
        with recursive path (id, parent_id) as (
          select id, parent_id from chat_messages where id = ${leafId} and chat_id = ${chatId}
          union all
          select m.id, m.parent_id from path join chat_messages m on m.id = path.parent_id
        )
        select s.id from path join chat_messages s
          on s.covers_to_id = path.id and s.role = 'summary' and s.deleted_at is null
        order by s.depth desc limit 1`.execute(trx)
      return rows[0]?.id ?? null
    },

    /** Summaries that end at one of these messages. */
    async summariesAt(messageIds: readonly string[]): Promise<MessageRow[]> {
      if (messageIds.length === 0) return []
      return db()
        .selectFrom('chat_messages')
        .selectAll()
        .where('role', '=', 'summary')
        .where('deleted_at', 'is', null)
        .where('covers_to_id', 'in', messageIds)
        .execute()
    },

    /** Marks a message and all below it, with their summaries, as thrown away together. */
    async trashSubtree(trx: Trx, chatId: string, id: string, now: number): Promise<void> {
      await sql`
        with recursive tree (id) as (
          select id from chat_messages where id = ${id} and chat_id = ${chatId}
          union all
          select m.id from tree join chat_messages m on m.parent_id = tree.id and m.chat_id = ${chatId}
            where m.deleted_at is null
        )
        update chat_messages set deleted_at = ${now}, trash_id = ${id}, version = version + 1
          where (id in (select id from tree) or (role = 'summary' and covers_to_id in (select id from tree)))
            and chat_id = ${chatId} and deleted_at is null`.execute(trx)
    },

    async restoreFromTrash(trx: Trx, trashId: string): Promise<void> {
      await trx
        .updateTable('chat_messages')
        .set((eb) => ({ deleted_at: null, trash_id: null, version: eb('version', '+', 1) }))
        .where('trash_id', '=', trashId)
        .execute()
    },

    async trashedIn(trx: Kysely<ChatTables>, trashId: string): Promise<string[]> {
      const rows = await trx.selectFrom('chat_messages').select('id').where('trash_id', '=', trashId).execute()
      return rows.map((row) => row.id)
    },

    async removeIn(trx: Trx, ids: readonly string[]): Promise<void> {
      for (let i = 0; i < ids.length; i += 500) {
        await trx
          .deleteFrom('chat_messages')
          .where('id', 'in', ids.slice(i, i + 500))
          .execute()
      }
    },
  }
}

/** A live message of a chat; never a summary's place in the tree, because summaries have none. */
const readMessage = async (db: Kysely<ChatTables>, chatId: string, id: string): Promise<MessageRow | null> => {
  const row = await db
    .selectFrom('chat_messages')
    .selectAll()
    .where('id', '=', id)
    .where('chat_id', '=', chatId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

const readEnd = async (db: Kysely<ChatTables>, chatId: string, id: string): Promise<string> => {
  const { rows } = await sql<{ id: string }>`
    with recursive path (id, active_child_id, n) as (
      select id, active_child_id, 0 from chat_messages where id = ${id} and chat_id = ${chatId}
      union all
      select m.id, m.active_child_id, path.n + 1 from path join chat_messages m on m.id = path.active_child_id
        where m.deleted_at is null
    )
    select id from path order by n desc limit 1`.execute(db)
  return rows[0]?.id ?? id
}

const readSiblings = (db: Kysely<ChatTables>, chatId: string, parentId: string | null): Promise<MessageRow[]> =>
  db
    .selectFrom('chat_messages')
    .selectAll()
    .where('chat_id', '=', chatId)
    .where('parent_id', parentId === null ? 'is' : '=', parentId)
    .where('deleted_at', 'is', null)
    .where('role', '!=', 'summary')
    .orderBy('created_at')
    .orderBy('id')
    .execute()

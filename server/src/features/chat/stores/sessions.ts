/** SQL of the chats themselves. */
import { type SqlBool, type Transaction, type Updateable, sql } from 'kysely'
import { type CursorKey, cutPage, decodeCursor } from '../../../platform/db/cursor.ts'
import type { PlaceRow } from '../../../core/resources/index.ts'
import type { Database } from '../../../platform/db/types.ts'
import { runOptimistic, runUnread } from '../../../platform/db/unread.ts'
import type { ChatTables, SessionRow } from '../tables.ts'
import { hasTag } from './tags.ts'

export interface ListFilter {
  readonly folderId?: string | undefined
  readonly pinned?: boolean | undefined
  /** Without it, both. */
  readonly archived?: boolean | undefined
  /** Digests of tags that it has, all of them. */
  readonly tags?: readonly string[] | undefined
  /** Where something may have been said from this time on, and before that one. */
  readonly after?: number | null | undefined
  readonly before?: number | null | undefined
}

type Trx = Transaction<ChatTables>
export type NewSessionRow = Omit<SessionRow, 'version' | 'indexed_version'>

/** What is the same of every chat in which nothing has happened yet. */
export const initialState = {
  pinned: 0,
  archived: 0,
  unread: 0,
  failed: 0,
  queue_held: 0,
  running_generation_id: null,
  needs_answer: 0,
  active_leaf_id: null,
  summary_id: null,
  draft: 0,
} as const satisfies Partial<NewSessionRow>

/** Another title is something that the index of words has to know, and that a chat is no draft any more. */
const withNextVersion = (patch: Updateable<SessionRow>) =>
  'title' in patch || 'draft' in patch ? { ...patch, version: sql<number>`version + 1` } : patch

/** Places of all chats, for permission queries. */
export const chatPlaces = sql<PlaceRow>`select id, account_id as owner_id, folder_id as within_id,
  case when deleted_at is null and ready = 1 and expires_at is null then 1 else 0 end as shown from chat_sessions`

/** The condition that the chat in a column is none of those that are temporary. */
export const notTemporary = (column: 'id' | 'chat_id') =>
  sql<SqlBool>`${sql.ref(column)} not in (select id from chat_sessions where expires_at is not null)`

export const createSessionStore = (database: Database) => {
  const db = () => database.tables<ChatTables>()

  /** A slice of the list, latest first, from after `key`. */
  const slice = (
    accountId: string,
    filter: ListFilter,
    key: CursorKey | null,
    limit: number,
  ): Promise<SessionRow[]> => {
    let query = db()
      .selectFrom('chat_sessions')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('deleted_at', 'is', null)
      .where('ready', '=', 1)
      .where('draft', '=', 0)
      .where('expires_at', 'is', null)
    if (filter.archived !== undefined) query = query.where('archived', '=', filter.archived ? 1 : 0)
    if (filter.folderId !== undefined) query = query.where('folder_id', '=', filter.folderId)
    if (filter.pinned !== undefined) query = query.where('pinned', '=', filter.pinned ? 1 : 0)
    for (const digest of filter.tags ?? []) query = query.where(hasTag(accountId, digest))
    const { after = null, before = null } = filter
    if (after !== null) query = query.where('updated_at', '>=', after)
    // The messages of a copy may be older than it is.
    if (before !== null)
      query = query.where((eb) => eb.or([eb('created_at', '<', before), eb('forked_from', 'is not', null)]))
    if (key) {
      query = query.where((eb) => eb(eb.refTuple('updated_at', 'id'), '<', eb.tuple(key.time, key.id)))
    }
    return query.orderBy('updated_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
  }

  return {
    async insert(row: NewSessionRow, on: Pick<Trx, 'insertInto'> = db()): Promise<void> {
      await on
        .insertInto('chat_sessions')
        // Of a draft there is nothing to find.
        .values({ ...row, version: 1, indexed_version: row.draft })
        .execute()
    },

    /** A chat that its owner can see. */
    async read(id: string, accountId: string): Promise<SessionRow | null> {
      const row = await db()
        .selectFrom('chat_sessions')
        .selectAll()
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where('deleted_at', 'is', null)
        .where('ready', '=', 1)
        .executeTakeFirst()
      return row ?? null
    },

    /** Places of chats of any owner. */
    places: (
      ids: readonly string[],
    ): Promise<Pick<SessionRow, 'id' | 'account_id' | 'folder_id' | 'deleted_at' | 'ready'>[]> =>
      ids.length === 0
        ? Promise.resolve([])
        : db()
            .selectFrom('chat_sessions')
            .select(['id', 'account_id', 'folder_id', 'deleted_at', 'ready'])
            .where('id', 'in', ids)
            .execute(),

    /** Those of them whose last answer waits for a decision, in the trash or not. */
    listWaiting: (ids: readonly string[]): Promise<SessionRow[]> =>
      db().selectFrom('chat_sessions').selectAll().where('id', 'in', ids).where('needs_answer', '=', 2).execute(),

    /** Chats that can be seen by others than their owner, of any owner. */
    listShown: (ids: readonly string[]): Promise<SessionRow[]> =>
      ids.length === 0
        ? Promise.resolve([])
        : db()
            .selectFrom('chat_sessions')
            .selectAll()
            .where('id', 'in', ids)
            .where('deleted_at', 'is', null)
            .where('ready', '=', 1)
            .where('expires_at', 'is', null)
            .execute(),

    /** The latest chats of these folders. */
    inFolders: (
      folders: readonly { readonly id: string; readonly ownerId: string }[],
      limit: number,
    ): Promise<SessionRow[]> =>
      folders.length === 0
        ? Promise.resolve([])
        : db()
            .selectFrom('chat_sessions')
            .selectAll()
            .where('account_id', 'in', [...new Set(folders.map(({ ownerId }) => ownerId))])
            .where(
              'folder_id',
              'in',
              folders.map(({ id }) => id),
            )
            .where('deleted_at', 'is', null)
            .where('ready', '=', 1)
            .where('draft', '=', 0)
            .where('expires_at', 'is', null)
            .orderBy('updated_at', 'desc')
            .limit(limit)
            .execute(),

    /** The same, inside a transaction. */
    async readIn(trx: Trx, id: string, accountId: string): Promise<SessionRow | null> {
      const row = await trx
        .selectFrom('chat_sessions')
        .selectAll()
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      return row ?? null
    },

    /** A chat of this id, of any owner and also in the trash; to tell a repeat from a clash. */
    async anyOfId(id: string): Promise<SessionRow | null> {
      return (await db().selectFrom('chat_sessions').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
    },

    slice,

    /** One page of the list. */
    async page(accountId: string, filter: ListFilter, limit: number, cursor: string | undefined) {
      const rows = await slice(accountId, filter, cursor === undefined ? null : decodeCursor(cursor), limit + 1)
      return cutPage(rows, limit, (row) => ({ time: row.updated_at, id: row.id }))
    },

    /** Changes a live chat of this owner; false when it is gone, or somebody else's by now. */
    async update(
      { id, account_id }: Pick<SessionRow, 'id' | 'account_id'>,
      patch: Updateable<SessionRow>,
    ): Promise<boolean> {
      const { numUpdatedRows } = await db()
        .updateTable('chat_sessions')
        .set(withNextVersion(patch))
        .where('id', '=', id)
        .where('account_id', '=', account_id)
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    async updateIn(trx: Trx, id: string, patch: Updateable<SessionRow>): Promise<void> {
      await runUnread(trx, trx.updateTable('chat_sessions').set(withNextVersion(patch)).where('id', '=', id))
    },

    /** Changes a chat that has to be as it was read: its end, its summary, its model and its name; see `runOptimistic`. */
    async updateAsRead(trx: Trx, chat: SessionRow, patch: Updateable<SessionRow>): Promise<void> {
      let changing = trx
        .updateTable('chat_sessions')
        .set(withNextVersion(patch))
        .where('id', '=', chat.id)
        .where('account_id', '=', chat.account_id)
        .where('deleted_at', 'is', null)
        .where('version', '=', chat.version)
      for (const column of ['active_leaf_id', 'summary_id', 'selection'] as const) {
        const value = chat[column]
        changing = value === null ? changing.where(column, 'is', null) : changing.where(column, '=', value)
      }
      await runOptimistic(trx, changing)
    },

    /** Marks whether the running answer of a chat waits for permission; false where another or none is running. */
    async markNeedsAnswer(id: string, generationId: string, needsAnswer: boolean): Promise<boolean> {
      const { numUpdatedRows } = await db()
        .updateTable('chat_sessions')
        .set({ needs_answer: needsAnswer ? 1 : 0 })
        .where('id', '=', id)
        .where('running_generation_id', '=', generationId)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    /** Names a chat that its owner has not named meanwhile; false when he has, or when it is gone, or somebody else's by now. */
    async nameUnlessOwn(
      { id, account_id }: Pick<SessionRow, 'id' | 'account_id'>,
      title: Uint8Array,
    ): Promise<boolean> {
      const { numUpdatedRows } = await db()
        .updateTable('chat_sessions')
        .set(withNextVersion({ title, title_source: 'generated' }))
        .where('id', '=', id)
        .where('account_id', '=', account_id)
        .where('title_source', '!=', 'own')
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    /** Chats that wait for nothing but have queued prompts, of all accounts. */
    async idleWithQueue(limit: number): Promise<{ id: string; account_id: string }[]> {
      return db()
        .selectFrom('chat_sessions as chat')
        .select(['chat.id', 'chat.account_id'])
        .where('chat.deleted_at', 'is', null)
        .where('chat.queue_held', '=', 0)
        .where('chat.running_generation_id', 'is', null)
        .where((eb) =>
          eb.exists(eb.selectFrom('chat_queue').select('chat_queue.id').whereRef('chat_queue.chat_id', '=', 'chat.id')),
        )
        .limit(limit)
        .execute()
    },

    /** Chats that a copy never finished. */
    async listUnfinished(before: number): Promise<string[]> {
      const rows = await db()
        .selectFrom('chat_sessions')
        .select('id')
        .where('ready', '=', 0)
        .where('created_at', '<=', before)
        .execute()
      return rows.map((row) => row.id)
    },

    async liveIds(accountId: string, limit: number): Promise<string[]> {
      const rows = await db()
        .selectFrom('chat_sessions')
        .select('id')
        .where('account_id', '=', accountId)
        .where('deleted_at', 'is', null)
        .where('ready', '=', 1)
        .where('draft', '=', 0)
        .where('expires_at', 'is', null)
        .limit(limit)
        .execute()
      return rows.map((row) => row.id)
    },

    /** The chat that keeps what goes with the next new question of an account. */
    async latestDraft(accountId: string): Promise<string | null> {
      const row = await db()
        .selectFrom('chat_sessions')
        .select('id')
        .where('account_id', '=', accountId)
        .where('draft', '=', 1)
        .where('deleted_at', 'is', null)
        .orderBy('created_at', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row?.id ?? null
    },

    /** Drafts of everybody that were begun before a time. */
    async draftsBefore(before: number, limit: number): Promise<string[]> {
      const rows = await db()
        .selectFrom('chat_sessions')
        .select('id')
        .where('draft', '=', 1)
        .where('updated_at', '<', before)
        .limit(limit)
        .execute()
      return rows.map((row) => row.id)
    },

    /** The temporary chats of an account. */
    async temporaryIds(accountId: string): Promise<string[]> {
      const rows = await db()
        .selectFrom('chat_sessions')
        .select('id')
        .where('account_id', '=', accountId)
        .where('expires_at', 'is not', null)
        .execute()
      return rows.map((row) => row.id)
    },

    /** Temporary chats of all accounts whose time is over. */
    expired: (now: number, limit: number): Promise<Pick<SessionRow, 'id' | 'account_id'>[]> =>
      db()
        .selectFrom('chat_sessions')
        .select(['id', 'account_id'])
        .where('expires_at', '<=', now)
        .where('running_generation_id', 'is', null)
        .orderBy('expires_at')
        .limit(limit)
        .execute(),

    /**
     * Takes a temporary chat away from its owner, before it is deleted: from then on it can be found only by `expired`.
     * False when it is kept by now, or, with `overOnly`, when its time is not over any more.
     */
    async claimTemporary(id: string, now: number, overOnly: boolean): Promise<boolean> {
      let claim = db()
        .updateTable('chat_sessions')
        .set({ deleted_at: now, expires_at: now })
        .where('id', '=', id)
        .where('expires_at', 'is not', null)
      if (overOnly) claim = claim.where('expires_at', '<=', now).where('running_generation_id', 'is', null)
      return (await claim.executeTakeFirstOrThrow()).numUpdatedRows > 0n
    },

    /** Makes a temporary chat one like all others. */
    async keepIn(trx: Trx, id: string): Promise<void> {
      await trx
        .updateTable('chat_sessions')
        .set({ expires_at: null, version: sql<number>`version + 1` })
        .where('id', '=', id)
        .execute()
    },

    async idsOfFolder(accountId: string, folderId: string): Promise<string[]> {
      const rows = await db()
        .selectFrom('chat_sessions')
        .select('id')
        .where('account_id', '=', accountId)
        .where('folder_id', '=', folderId)
        .where('deleted_at', 'is', null)
        .where('expires_at', 'is', null)
        .execute()
      return rows.map((row) => row.id)
    },

    /** Every chat of an account, trash and unfinished copies too. */
    async allIds(accountId: string): Promise<string[]> {
      const rows = await db().selectFrom('chat_sessions').select('id').where('account_id', '=', accountId).execute()
      return rows.map((row) => row.id)
    },

    async removeIn(trx: Trx, id: string): Promise<void> {
      await trx.deleteFrom('chat_sessions').where('id', '=', id).execute()
    },
  }
}

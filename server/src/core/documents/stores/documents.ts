/** SQL of documents themselves: found, listed, and taken from one state to the next. */
import { type ExpressionBuilder, type Transaction, sql } from 'kysely'
import { type CursorKey, cutPage, decodeCursor, deletedBehind } from '../../../platform/db/cursor.ts'
import { type AnyTransaction, type Database, inTables } from '../../../platform/db/types.ts'
import type { PlaceRow } from '../../resources/index.ts'
import type { DocumentRow, DocumentTables } from '../tables.ts'

type Trx = Transaction<DocumentTables>

/** What a list is narrowed to. `reachable`: collections of others that the account reaches by grants. */
export interface DocumentFilter {
  readonly accountId: string
  readonly reachable: readonly string[]
  /** Documents of others that the account reaches one by one. */
  readonly single?: readonly string[]
  readonly in: 'all' | 'library' | 'chats' | 'shared'
  readonly collectionId?: string | undefined
  readonly status?: DocumentRow['state'] | undefined
  /** Chats whose documents are left out. */
  readonly withoutSessions: readonly string[]
}

/** What an account reaches of others now, by ids. */
export interface DocumentReach {
  readonly collections: readonly string[]
  /** One by one. */
  readonly documents: readonly string[]
}

/**
 * Where all documents stand, for the question who may see them. A document lies in its collection, and who may read that
 * may read it. One of a chat does not come with the chat: who reads a chat sees the passages that answers quote, not the
 * files. In the trash it is its owner's alone.
 */
export const documentPlaces = sql<PlaceRow>`select id, account_id as owner_id,
  case when session_id is null then collection_id end as within_id,
  case when deleted_at is null then 1 else 0 end as shown from documents`

export const createDocumentRows = (database: Database) => {
  const tables = database.tables<DocumentTables>()
  const on = (trx: AnyTransaction | undefined) => (trx ? inTables<DocumentTables>(trx) : tables)

  return {
    /** false: the same bytes are in this scope already. */
    async insert(row: DocumentRow): Promise<boolean> {
      const added = await tables
        .insertInto('documents')
        .values(row)
        .onConflict((conflict) => conflict.column('digest').doNothing())
        .returning('id')
        .executeTakeFirst()
      return added !== undefined
    },

    async byDigest(digest: string): Promise<DocumentRow | null> {
      const row = await tables.selectFrom('documents').selectAll().where('digest', '=', digest).executeTakeFirst()
      return row ?? null
    },

    /** An account's own document; `deleted` for one that can be restored. */
    async readOwn(
      accountId: string,
      id: string,
      { deleted = false, trx = undefined as AnyTransaction | undefined } = {},
    ) {
      const row = await on(trx)
        .selectFrom('documents')
        .selectAll()
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where((eb) => (deleted ? eb('deleted_at', '>', 0) : eb('deleted_at', 'is', null)))
        .executeTakeFirst()
      return row ?? null
    },

    /** Own ones in the trash, latest deleted first, from a place on. */
    deleted: (
      accountId: string,
      withoutSessions: readonly string[],
      after: CursorKey | null,
      limit: number,
    ): Promise<DocumentRow[]> =>
      tables
        .selectFrom('documents')
        .selectAll()
        .where('account_id', '=', accountId)
        .where(notIn(withoutSessions))
        .where('deleted_at', '>', 0)
        .where(deletedBehind(after))
        .orderBy('deleted_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),

    /** Takes one out of the trash to be deleted for good: it cannot be restored from then on; null: it is not there. */
    async claimDeleted(accountId: string, id: string): Promise<DocumentRow | null> {
      const row = await tables
        .updateTable('documents')
        .set({ deleted_at: 0 })
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where('deleted_at', '>', 0)
        .returningAll()
        .executeTakeFirst()
      return row ?? null
    },

    async readMany(ids: readonly string[]): Promise<DocumentRow[]> {
      if (ids.length === 0) return []
      return tables.selectFrom('documents').selectAll().where('id', 'in', ids).execute()
    },

    /** One that is not in the trash, of whomever: whether it may be read is decided before. */
    async listLive(id: string): Promise<DocumentRow | null> {
      const row = await tables
        .selectFrom('documents')
        .selectAll()
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      return row ?? null
    },

    /** Own ones, those in collections that are reached by grants, and those that are reached one by one. */
    async visibleMany(
      accountId: string,
      { collections, documents }: DocumentReach,
      ids: readonly string[],
    ): Promise<DocumentRow[]> {
      if (ids.length === 0) return []
      return tables
        .selectFrom('documents')
        .selectAll()
        .where('id', 'in', ids)
        .where('deleted_at', 'is', null)
        .where((eb) =>
          eb.or([
            eb('account_id', '=', accountId),
            ...(collections.length > 0 ? [eb('collection_id', 'in', collections)] : []),
            ...(documents.length > 0 ? [eb('id', 'in', documents)] : []),
          ]),
        )
        .execute()
    },

    /** Newest first, from a place on. */
    async list(
      { accountId, reachable, single = [], ...only }: DocumentFilter,
      before: CursorKey | null,
      limit: number,
    ): Promise<DocumentRow[]> {
      const reaches = reachable.length + single.length > 0
      if (only.in === 'shared' && !reaches) return []
      return tables
        .selectFrom('documents')
        .selectAll()
        .where('deleted_at', 'is', null)
        .where(notIn(only.withoutSessions))
        .where((eb) => {
          const own = eb('account_id', '=', accountId)
          if (only.in === 'library') return eb.and([own, eb('session_id', 'is', null), eb('collection_id', 'is', null)])
          if (only.in === 'chats') return eb.and([own, eb('session_id', 'is not', null)])
          if (!reaches) return own
          const others = eb.and([
            eb('account_id', '!=', accountId),
            eb.or([
              ...(reachable.length > 0 ? [eb('collection_id', 'in', reachable)] : []),
              ...(single.length > 0 ? [eb('id', 'in', single)] : []),
            ]),
          ])
          return only.in === 'shared' ? others : eb.or([own, others])
        })
        .$if(only.collectionId !== undefined, (query) => query.where('collection_id', '=', only.collectionId ?? ''))
        .$if(only.status !== undefined, (query) => query.where('state', '=', only.status ?? 'queued'))
        .$if(before !== null, (query) =>
          query.where((eb) => {
            const { time, id } = before as CursorKey
            return eb.or([eb('uploaded_at', '<', time), eb.and([eb('uploaded_at', '=', time), eb('id', '<', id)])])
          }),
        )
        .orderBy('uploaded_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
    },

    /** Own ones without the trash. */
    async count(accountId: string, withoutSessions: readonly string[]): Promise<number> {
      const { count } = await tables
        .selectFrom('documents')
        .select((by) => by.fn.countAll<number>().as('count'))
        .where(notIn(withoutSessions))
        .where('account_id', '=', accountId)
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    /** Oldest first. Refuses with `bad_cursor`. */
    async ofSession(accountId: string, sessionId: string, limit: number, cursor: string | undefined) {
      const after = cursor === undefined ? null : decodeCursor(cursor)
      const rows = await tables
        .selectFrom('documents')
        .selectAll()
        .where('session_id', '=', sessionId)
        .where('account_id', '=', accountId)
        .where('deleted_at', 'is', null)
        .$if(after !== null, (query) =>
          query.where((eb) => {
            const { time, id } = after as CursorKey
            return eb.or([eb('uploaded_at', '>', time), eb.and([eb('uploaded_at', '=', time), eb('id', '>', id)])])
          }),
        )
        .orderBy('uploaded_at')
        .orderBy('id')
        .limit(limit + 1)
        .execute()
      return cutPage(rows, limit, placeOf)
    },

    /** Changes a document of a revision; undefined when it is gone, deleted, or read anew meanwhile. */
    async change(
      trx: AnyTransaction | undefined,
      { id, revision }: Pick<DocumentRow, 'id' | 'revision'>,
      values: Partial<DocumentRow>,
    ): Promise<DocumentRow | undefined> {
      return on(trx)
        .updateTable('documents')
        .set(values)
        .where('id', '=', id)
        .where('revision', '=', revision)
        .where('deleted_at', 'is', null)
        .returningAll()
        .executeTakeFirst()
    },

    /** Gives a document the digest, unless another one of the same scope has it: then it is a double, and has none. */
    async giveDigest(trx: Trx, id: string, digest: string | null): Promise<void> {
      const taken =
        digest === null
          ? undefined
          : await trx
              .selectFrom('documents')
              .select('id')
              .where('digest', '=', digest)
              .where('id', '!=', id)
              .executeTakeFirst()
      await trx
        .updateTable('documents')
        .set({ digest: taken ? null : digest })
        .where('id', '=', id)
        .execute()
    },

    /** Takes a document of any state back from (null) or into the trash. */
    async setDeleted(trx: Trx, accountId: string, id: string, deletedAt: number | null, now: number) {
      return trx
        .updateTable('documents')
        .set({ deleted_at: deletedAt, updated_at: now, ...(deletedAt === null ? {} : { digest: null }) })
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where((eb) => (deletedAt === null ? eb('deleted_at', '>', 0) : eb('deleted_at', 'is', null)))
        .returningAll()
        .executeTakeFirst()
    },

    /** Says anew where a document belongs, deleted or not. */
    async setPlace(trx: Trx, { id, session_id, collection_id, left_collection_id }: DocumentRow): Promise<void> {
      await trx
        .updateTable('documents')
        .set({ session_id, collection_id, left_collection_id, digest: null })
        .where('id', '=', id)
        .execute()
    },

    /** Drops a document that is not read yet; false when it is, or is gone. */
    async cancelIn(trx: Trx, { id, revision }: Pick<DocumentRow, 'id' | 'revision'>): Promise<boolean> {
      const { numDeletedRows } = await trx
        .deleteFrom('documents')
        .where('id', '=', id)
        .where('revision', '=', revision)
        .where('state', 'in', ['queued', 'processing'])
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },

    /** What was deleted before a time, live documents of these chats, or all of an account. */
    async gone(which: { before: number } | { sessionIds: readonly string[] } | { accountId: string }, limit: number) {
      return tables
        .selectFrom('documents')
        .select(['id', 'account_id', 'file_id', 'job_id'])
        .$if('before' in which, (query) => query.where('deleted_at', '<', (which as { before: number }).before))
        .$if('sessionIds' in which, (query) =>
          query.where('session_id', 'in', (which as { sessionIds: readonly string[] }).sessionIds),
        )
        .$if('accountId' in which, (query) =>
          query.where('account_id', '=', (which as { accountId: string }).accountId),
        )
        .orderBy('id')
        .limit(limit)
        .execute()
    },

    async deleteRows(ids: readonly string[], trx?: AnyTransaction): Promise<void> {
      if (ids.length > 0) await on(trx).deleteFrom('documents').where('id', 'in', ids).execute()
    },

    async deleteAccount(accountId: string): Promise<void> {
      await tables.deleteFrom('documents').where('account_id', '=', accountId).execute()
      await tables.deleteFrom('document_settings').where('account_id', '=', accountId).execute()
    },

    /** Documents on their way that nothing was heard of since a time. */
    async listStale(before: number, limit: number): Promise<DocumentRow[]> {
      return tables
        .selectFrom('documents')
        .selectAll()
        .where('state', 'in', ['queued', 'processing'])
        .where('updated_at', '<=', before)
        .where('deleted_at', 'is', null)
        .orderBy('updated_at')
        .limit(limit)
        .execute()
    },

    async inCollection(trx: Trx, collectionId: string, limit: number): Promise<DocumentRow[]> {
      return trx.selectFrom('documents').selectAll().where('collection_id', '=', collectionId).limit(limit).execute()
    },

    /** Those that were in a collection when it went to the trash, and were put nowhere else since. */
    async leftCollection(trx: Trx, collectionId: string, limit: number): Promise<DocumentRow[]> {
      return trx
        .selectFrom('documents')
        .selectAll()
        .where('left_collection_id', '=', collectionId)
        .limit(limit)
        .execute()
    },
  }
}

export const placeOf = (row: DocumentRow): CursorKey => ({ time: row.uploaded_at, id: row.id })

/** The condition that a document is in none of these chats. */
const notIn = (sessionIds: readonly string[]) => (eb: ExpressionBuilder<DocumentTables, 'documents'>) =>
  sessionIds.length === 0 ? eb.lit(true) : eb.or([eb('session_id', 'is', null), eb('session_id', 'not in', sessionIds)])

/** SQL of collections. */
import { type Transaction, sql } from 'kysely'
import { type CursorKey, cutPage, decodeCursor, deletedBehind } from '../../../platform/db/cursor.ts'
import type { Database } from '../../../platform/db/types.ts'
import type { PlaceRow } from '../../resources/index.ts'
import type { DocumentCollectionRow, DocumentTables } from '../tables.ts'

type Trx = Transaction<DocumentTables>

/** Where all collections stand, for the question who may see them. In the trash one is its owner's alone. */
export const collectionPlaces = sql<PlaceRow>`select id, account_id as owner_id, null as within_id,
  case when deleted_at is null then 1 else 0 end as shown from document_collections`

export const createCollectionRows = (database: Database) => {
  const tables = database.tables<DocumentTables>()
  /** All that is not in the trash: what every question goes by that does not speak of the trash. */
  const live = () => tables.selectFrom('document_collections').where('deleted_at', 'is', null)

  return {
    /** Own ones and those of the ids, oldest first. Refuses with `bad_cursor`. */
    async page(accountId: string, reachable: readonly string[], limit: number, cursor: string | undefined) {
      const after = cursor === undefined ? null : decodeCursor(cursor)
      const rows = await live()
        .selectAll()
        .where((eb) =>
          reachable.length === 0
            ? eb('account_id', '=', accountId)
            : eb.or([eb('account_id', '=', accountId), eb('id', 'in', reachable)]),
        )
        .$if(after !== null, (query) =>
          query.where((eb) => {
            const { time, id } = after as CursorKey
            return eb.or([eb('created_at', '>', time), eb.and([eb('created_at', '=', time), eb('id', '>', id)])])
          }),
        )
        .orderBy('created_at')
        .orderBy('id')
        .limit(limit + 1)
        .execute()
      return cutPage(rows, limit, (row) => ({ time: row.created_at, id: row.id }))
    },

    async readOwn(accountId: string, id: string): Promise<DocumentCollectionRow | null> {
      const row = await live().selectAll().where('id', '=', id).where('account_id', '=', accountId).executeTakeFirst()
      return row ?? null
    },

    async readMany(ids: readonly string[]): Promise<DocumentCollectionRow[]> {
      if (ids.length === 0) return []
      return live().selectAll().where('id', 'in', ids).execute()
    },

    /** Live documents of each. */
    async counts(ids: readonly string[]): Promise<Map<string, number>> {
      if (ids.length === 0) return new Map()
      const rows = await tables
        .selectFrom('documents')
        .select('collection_id')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('collection_id', 'in', ids)
        .where('deleted_at', 'is', null)
        .groupBy('collection_id')
        .execute()
      return new Map(rows.map((row) => [row.collection_id ?? '', Number(row.count)]))
    },

    /** `full`: the account has as many as it may; `taken`: it has one of this name. */
    add: (row: DocumentCollectionRow, most: number): Promise<'added' | 'full' | 'taken'> =>
      database.write<DocumentTables, 'added' | 'full' | 'taken'>(async (trx) => {
        const { count } = await trx
          .selectFrom('document_collections')
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .where('account_id', '=', row.account_id)
          .where('deleted_at', 'is', null)
          .executeTakeFirstOrThrow()
        if (Number(count) >= most) return 'full'
        const added = await trx
          .insertInto('document_collections')
          .values(row)
          .onConflict((conflict) => conflict.column('name_index').doNothing())
          .returning('id')
          .execute()
        return added.length > 0 ? 'added' : 'taken'
      }),

    rename: (
      accountId: string,
      id: string,
      values: Pick<DocumentCollectionRow, 'name' | 'name_index' | 'updated_at'>,
    ): Promise<DocumentCollectionRow | 'gone' | 'taken'> =>
      database.write<DocumentTables, DocumentCollectionRow | 'gone' | 'taken'>(async (trx) => {
        const other = await trx
          .selectFrom('document_collections')
          .select('id')
          .where('name_index', '=', values.name_index)
          .where('id', '!=', id)
          .executeTakeFirst()
        if (other) return 'taken'
        const row = await trx
          .updateTable('document_collections')
          .set(values)
          .where('id', '=', id)
          .where('account_id', '=', accountId)
          .where('deleted_at', 'is', null)
          .returningAll()
          .executeTakeFirst()
        return row ?? 'gone'
      }),

    /** Moves a live one to the trash, where its name is free for others; false: it is not there. */
    async trash(trx: Trx, accountId: string, id: string, now: number): Promise<boolean> {
      const { numUpdatedRows } = await trx
        .updateTable('document_collections')
        .set({ deleted_at: now, name_index: `trash:${id}` })
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    /** Own ones in the trash, latest deleted first, from a place on. */
    deleted: (accountId: string, after: CursorKey | null, limit: number): Promise<DocumentCollectionRow[]> =>
      tables
        .selectFrom('document_collections')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('deleted_at', 'is not', null)
        .where(deletedBehind(after))
        .orderBy('deleted_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),

    async ownDeleted(accountId: string, id: string): Promise<DocumentCollectionRow | null> {
      const row = await tables
        .selectFrom('document_collections')
        .selectAll()
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where('deleted_at', 'is not', null)
        .executeTakeFirst()
      return row ?? null
    },

    /** Whether a live one has this name. */
    async hasName(nameIndex: string): Promise<boolean> {
      const row = await live().select('id').where('name_index', '=', nameIndex).executeTakeFirst()
      return row !== undefined
    },

    /** Takes one out of the trash, with its name; false: it is not there, or the name was taken meanwhile. */
    async restore(trx: Trx, accountId: string, id: string, nameIndex: string): Promise<boolean> {
      const other = await trx
        .selectFrom('document_collections')
        .select('id')
        .where('name_index', '=', nameIndex)
        .executeTakeFirst()
      if (other) return false
      const { numUpdatedRows } = await trx
        .updateTable('document_collections')
        .set({ deleted_at: null, name_index: nameIndex })
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where('deleted_at', 'is not', null)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    /** Deletes one in the trash for good; false: it is not there. */
    async removeDeleted(trx: Trx, accountId: string, id: string): Promise<boolean> {
      const { numDeletedRows } = await trx
        .deleteFrom('document_collections')
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where('deleted_at', 'is not', null)
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },

    /** What was deleted before a time, of all accounts. */
    expired: (before: number, limit: number): Promise<Pick<DocumentCollectionRow, 'id' | 'account_id'>[]> =>
      tables
        .selectFrom('document_collections')
        .select(['id', 'account_id'])
        .where('deleted_at', '<', before)
        .limit(limit)
        .execute(),

    /** Own ones without the trash. */
    async idsOf(accountId: string): Promise<string[]> {
      const rows = await live().select('id').where('account_id', '=', accountId).execute()
      return rows.map(({ id }) => id)
    },

    /** Those of the ids that are the account's own. */
    async ownOf(accountId: string, ids: readonly string[]): Promise<string[]> {
      if (ids.length === 0) return []
      const rows = await live().select('id').where('account_id', '=', accountId).where('id', 'in', ids).execute()
      return rows.map(({ id }) => id)
    },

    /** Own ones, in the trash too. */
    async allIds(accountId: string): Promise<string[]> {
      const rows = await tables
        .selectFrom('document_collections')
        .select('id')
        .where('account_id', '=', accountId)
        .execute()
      return rows.map(({ id }) => id)
    },

    async removeAccount(accountId: string): Promise<void> {
      await tables.deleteFrom('document_collections').where('account_id', '=', accountId).execute()
    },
  }
}

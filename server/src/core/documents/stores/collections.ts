/** SQL of collections. */
import { type Transaction, sql } from 'kysely'
import { cutPage, decodeCursor, type Key } from '../../../platform/db/cursor.ts'
import type { Database } from '../../../platform/db/types.ts'
import type { PlaceRow } from '../../access/index.ts'
import type { DocumentCollectionRow, DocumentTables } from '../tables.ts'

type Trx = Transaction<DocumentTables>

/** Where all collections stand, for the question who may see them. */
export const collectionPlaces = sql<PlaceRow>`select id, account_id as owner_id, null as within_id, 1 as shown
  from document_collections`

export const createCollectionRows = (database: Database) => {
  const tables = database.tables<DocumentTables>()

  return {
    /** Own ones and those of the ids, oldest first. Refuses with `bad_cursor`. */
    async page(accountId: string, reachable: readonly string[], limit: number, cursor: string | undefined) {
      const after = cursor === undefined ? null : decodeCursor(cursor)
      const rows = await tables
        .selectFrom('document_collections')
        .selectAll()
        .where((eb) =>
          reachable.length === 0
            ? eb('account_id', '=', accountId)
            : eb.or([eb('account_id', '=', accountId), eb('id', 'in', reachable)]),
        )
        .$if(after !== null, (query) =>
          query.where((eb) => {
            const { time, id } = after as Key
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
      const row = await tables
        .selectFrom('document_collections')
        .selectAll()
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return row ?? null
    },

    async readMany(ids: readonly string[]): Promise<DocumentCollectionRow[]> {
      if (ids.length === 0) return []
      return tables.selectFrom('document_collections').selectAll().where('id', 'in', ids).execute()
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
          .returningAll()
          .executeTakeFirst()
        return row ?? 'gone'
      }),

    async remove(trx: Trx, accountId: string, id: string): Promise<boolean> {
      const { numDeletedRows } = await trx
        .deleteFrom('document_collections')
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },

    async idsOf(accountId: string): Promise<string[]> {
      const rows = await tables
        .selectFrom('document_collections')
        .select('id')
        .where('account_id', '=', accountId)
        .execute()
      return rows.map(({ id }) => id)
    },
  }
}

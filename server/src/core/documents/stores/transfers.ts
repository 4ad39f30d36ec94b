/** SQL of documents and collections that get another owner. */
import { sql, type Transaction } from 'kysely'
import type { Database } from '../../../platform/db/types.ts'
import { resealRows } from '../../../platform/vault/reseal.ts'
import type { Vault } from '../../../platform/vault/types.ts'
import type { TransferSides } from '../../resources/index.ts'
import { type DocumentCollectionRow, type DocumentRow, documentSealed, type DocumentTables } from '../tables.ts'

type Trx = Transaction<DocumentTables>

const namesOf = (table: 'documents' | 'document_collections') =>
  documentSealed.filter((column) => column.table === table)
const contents = documentSealed.filter(({ table }) => table === 'document_texts' || table === 'document_chunks')

export const createTransferStore = ({ database, vault }: { readonly database: Database; readonly vault: Vault }) => {
  const tables = () => database.tables<DocumentTables>()
  const live = (db: Pick<Trx, 'selectFrom'>, collectionId: string) =>
    db
      .selectFrom('documents')
      .selectAll()
      .where('collection_id', '=', collectionId)
      .where('session_id', 'is', null)
      .where('deleted_at', 'is', null)
  return {
    async bytes(of: { readonly id: string } | { readonly collectionId: string }): Promise<number> {
      const row = await tables()
        .selectFrom('documents')
        .select((by) => by.fn.coalesce(by.fn.sum<number>('size_bytes'), by.lit(0)).as('bytes'))
        .where('deleted_at', 'is', null)
        .$if('id' in of, (query) => query.where('id', '=', 'id' in of ? of.id : ''))
        .$if('collectionId' in of, (query) =>
          query.where('collection_id', '=', 'collectionId' in of ? of.collectionId : ''),
        )
        .executeTakeFirstOrThrow()
      return Number(row.bytes)
    },

    readIn: async (trx: Trx, id: string): Promise<DocumentRow | null> =>
      (await trx.selectFrom('documents').selectAll().where('id', '=', id).executeTakeFirst()) ?? null,

    ofCollection: (trx: Trx, collectionId: string): Promise<DocumentRow[]> => live(trx, collectionId).execute(),

    /** Names are sealed again at once, contents later: until then the row says whose key opens them. */
    async move(
      trx: Trx,
      rows: readonly DocumentRow[],
      sides: TransferSides,
      collectionId: string | null,
    ): Promise<void> {
      for (const { id, sealed_by } of rows) {
        const former = sealed_by ?? sides.fromId
        await trx
          .updateTable('documents')
          .set({
            account_id: sides.toId,
            sealed_by: former === sides.toId ? null : former,
            session_id: null,
            collection_id: collectionId,
            left_collection_id: null,
            job_id: null,
            // Keyed with the account: the same file may be taken in again.
            digest: null,
            content_digest: null,
          })
          .where('id', '=', id)
          .execute()
        await resealRows(trx, namesOf('documents'), sql<boolean>`id = ${id}`, sides)
      }
    },

    /** What was thrown away, or is not the former owner’s, does not move. */
    async leaveCollection(trx: Trx, collectionId: string, ownerId: string): Promise<void> {
      for (const column of ['collection_id', 'left_collection_id'] as const)
        await trx
          .updateTable('documents')
          .set({ [column]: null })
          .where(column, '=', collectionId)
          .where('account_id', '!=', ownerId)
          .execute()
    },

    /** An own live collection, or null. */
    readCollection: async (trx: Trx, id: string, accountId: string): Promise<DocumentCollectionRow | null> =>
      (await trx
        .selectFrom('document_collections')
        .selectAll()
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()) ?? null,

    /** How many live ones an account has, and which of these indexes of names are in use. */
    async collectionsOf(
      trx: Trx,
      accountId: string,
      nameIndexes: readonly string[],
    ): Promise<{ count: number; taken: ReadonlySet<string> }> {
      const own = await trx
        .selectFrom('document_collections')
        .select((by) => by.fn.countAll<number>().as('count'))
        .where('account_id', '=', accountId)
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow()
      const rows = await trx
        .selectFrom('document_collections')
        .select('name_index')
        .where('name_index', 'in', nameIndexes)
        .execute()
      return { count: Number(own.count), taken: new Set(rows.map(({ name_index }) => name_index)) }
    },

    async moveCollection(
      trx: Trx,
      id: string,
      values: Pick<DocumentCollectionRow, 'account_id' | 'name' | 'name_index'>,
    ): Promise<void> {
      await trx.updateTable('document_collections').set(values).where('id', '=', id).execute()
    },

    /**
     * Seals with the key of its owner whatever is still sealed with that of `formerId`, wherever it lies and whoever has it by
     * now; document by document.
     */
    async resealFormer(formerId: string): Promise<void> {
      for (;;) {
        const row = await tables()
          .selectFrom('documents')
          .select(['id', 'account_id'])
          .where('sealed_by', '=', formerId)
          .limit(1)
          .executeTakeFirst()
        if (!row) return
        const keys = { from: await vault.keyring(formerId), to: await vault.keyring(row.account_id) }
        await database.write<DocumentTables, void>(async (trx) => {
          const { numUpdatedRows } = await trx
            .updateTable('documents')
            .set({ sealed_by: null })
            .where('id', '=', row.id)
            .where('account_id', '=', row.account_id)
            .where('sealed_by', '=', formerId)
            .executeTakeFirstOrThrow()
          if (numUpdatedRows > 0n) await resealRows(trx, contents, sql<boolean>`document_id = ${row.id}`, keys)
        })
      }
    },

    /** Seals with the key of their owner what somebody wrote meanwhile with that of `fromId`; document by document. */
    async finish(ids: readonly string[], sides: TransferSides): Promise<void> {
      for (const id of ids)
        await database.write<DocumentTables, void>(async (trx) => {
          const row = await trx
            .selectFrom('documents')
            .select('id')
            .where('id', '=', id)
            .where('account_id', '=', sides.toId)
            .where('sealed_by', 'is', null)
            .executeTakeFirst()
          if (!row) return
          await resealRows(trx, contents, sql<boolean>`document_id = ${id}`, sides)
          await resealRows(trx, namesOf('documents'), sql<boolean>`id = ${id}`, sides)
        })
    },

    /** Those of a collection, in the trash too. */
    async idsOf(collectionId: string): Promise<string[]> {
      const rows = await tables()
        .selectFrom('documents')
        .select('id')
        .where((eb) => eb.or([eb('collection_id', '=', collectionId), eb('left_collection_id', '=', collectionId)]))
        .execute()
      return rows.map(({ id }) => id)
    },

    finishCollection: (id: string, sides: TransferSides): Promise<void> =>
      database.write<DocumentTables, void>(async (trx) => {
        await resealRows(
          trx,
          namesOf('document_collections'),
          sql<boolean>`id = ${id} and account_id = ${sides.toId}`,
          sides,
        )
      }),

    /** The documents of a chat that belongs to somebody else from now on; they are in their library. */
    leaveChat: (trx: Trx, chatId: string): Promise<DocumentRow[]> =>
      trx
        .updateTable('documents')
        .set({ session_id: null, digest: null })
        .where('session_id', '=', chatId)
        .returningAll()
        .execute(),
  }
}

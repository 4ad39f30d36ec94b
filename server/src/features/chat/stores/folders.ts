/** SQL of the folders. */
import { type Kysely, type Transaction, type Updateable, sql } from 'kysely'
import type { PlaceRow } from '../../../core/resources/index.ts'
import type { Database } from '../../../platform/db/types.ts'
import type { ChatTables, FolderRow } from '../tables.ts'

export interface FolderCounts {
  readonly chats: number
  readonly unread: number
  readonly running: number
}

/** Places of all folders, for permission queries. */
export const folderPlaces = sql<PlaceRow>`select id, account_id as owner_id, null as within_id,
  case when deleted_at is null then 1 else 0 end as shown from chat_folders`

export const createFolderStore = (database: Database) => {
  const db = () => database.tables<ChatTables>()
  return {
    /** Inserts a folder unless the account has `max` already, or `mayBe` says no to where it would be. */
    insert: (
      row: FolderRow,
      max: number,
      mayBe: (folders: readonly FolderRow[]) => boolean,
    ): Promise<'inserted' | 'full' | 'refused'> =>
      database.write<ChatTables, 'inserted' | 'full' | 'refused'>(async (trx) => {
        const folders = await listLive(trx, row.account_id)
        if (folders.length >= max) return 'full'
        if (!mayBe(folders)) return 'refused'
        await trx.insertInto('chat_folders').values(row).execute()
        return 'inserted'
      }),

    /** Changes a live folder; `refused`: `mayBe` says no, with what the account has. */
    change: (
      { id, account_id }: Pick<FolderRow, 'id' | 'account_id'>,
      patch: Updateable<FolderRow>,
      mayBe: (folders: readonly FolderRow[]) => boolean,
    ): Promise<'changed' | 'gone' | 'refused'> =>
      database.write<ChatTables, 'changed' | 'gone' | 'refused'>(async (trx) => {
        const own = await listLive(trx, account_id)
        // It may be somebody else's by now.
        if (!own.some((folder) => folder.id === id)) return 'gone'
        if (!mayBe(own)) return 'refused'
        await trx.updateTable('chat_folders').set(patch).where('id', '=', id).execute()
        return 'changed'
      }),

    /** Says which collection holds the files; false where it was said otherwise meanwhile. */
    async setFiles(id: string, before: string | null, collectionId: string): Promise<boolean> {
      const { numUpdatedRows } = await db()
        .updateTable('chat_folders')
        .set({ files_collection_id: collectionId })
        .where('id', '=', id)
        .where('files_collection_id', before === null ? 'is' : '=', before)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    /** Puts the folders in a folder where that one is. */
    async moveUpIn(
      trx: Transaction<ChatTables>,
      { id, parent_id }: Pick<FolderRow, 'id' | 'parent_id'>,
    ): Promise<void> {
      await trx.updateTable('chat_folders').set({ parent_id }).where('parent_id', '=', id).execute()
    },

    /** Takes a folder out of one that is gone or in the trash. */
    async leaveDeadIn(trx: Transaction<ChatTables>, id: string): Promise<void> {
      await trx
        .updateTable('chat_folders')
        .set({ parent_id: null })
        .where('id', '=', id)
        .where('parent_id', 'not in', (eb) =>
          eb.selectFrom('chat_folders as live').select('live.id').where('live.deleted_at', 'is', null),
        )
        .execute()
    },

    async read(id: string, accountId: string): Promise<FolderRow | null> {
      const row = await db()
        .selectFrom('chat_folders')
        .selectAll()
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      return row ?? null
    },

    /** Folders of whomever, those in the trash too. */
    places: (ids: readonly string[]): Promise<FolderRow[]> =>
      ids.length === 0
        ? Promise.resolve([])
        : db().selectFrom('chat_folders').selectAll().where('id', 'in', ids).execute(),

    /** Every folder of an account, the trash too. */
    async allIds(accountId: string): Promise<string[]> {
      const rows = await db().selectFrom('chat_folders').select('id').where('account_id', '=', accountId).execute()
      return rows.map((row) => row.id)
    },

    async anyOfId(id: string): Promise<FolderRow | null> {
      return (await db().selectFrom('chat_folders').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
    },

    list: (accountId: string): Promise<FolderRow[]> => listLive(db(), accountId),

    /** Counts of live chats by folder; one folder, or all. */
    async counts(accountId: string, folderId?: string): Promise<Map<string, FolderCounts>> {
      let query = db()
        .selectFrom('chat_sessions')
        .where('account_id', '=', accountId)
        .where('deleted_at', 'is', null)
        .where('ready', '=', 1)
        .where('draft', '=', 0)
        .where('expires_at', 'is', null)
        .where('folder_id', 'is not', null)
      if (folderId !== undefined) query = query.where('folder_id', '=', folderId)
      const rows = await query
        .groupBy('folder_id')
        .select((eb) => [
          'folder_id',
          eb.fn.countAll<number>().as('chats'),
          eb.fn.sum<number>('unread').as('unread'),
          eb.fn.count<number>('running_generation_id').as('running'),
        ])
        .execute()
      return new Map(
        rows.map((row) => [
          row.folder_id ?? '',
          { chats: Number(row.chats), unread: Number(row.unread), running: Number(row.running) },
        ]),
      )
    },

    async updateIn(trx: Transaction<ChatTables>, id: string, patch: Updateable<FolderRow>): Promise<void> {
      await trx.updateTable('chat_folders').set(patch).where('id', '=', id).execute()
    },

    /** Marks a live folder as thrown away; false when somebody else did meanwhile. */
    async trashIn(trx: Transaction<ChatTables>, id: string, now: number): Promise<boolean> {
      const { numUpdatedRows } = await trx
        .updateTable('chat_folders')
        .set({ deleted_at: now })
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    /** Takes every chat out of a folder, those in the trash too. */
    async emptyIn(trx: Transaction<ChatTables>, accountId: string, folderId: string): Promise<void> {
      await trx
        .updateTable('chat_sessions')
        .set({ folder_id: null })
        .where('account_id', '=', accountId)
        .where('folder_id', '=', folderId)
        .execute()
    },

    /** Removes all that an account has, in the trash too. */
    async removeAccount(accountId: string): Promise<void> {
      await db().deleteFrom('chat_folders').where('account_id', '=', accountId).execute()
    },

    async removeIn(trx: Transaction<ChatTables>, id: string): Promise<void> {
      await trx.deleteFrom('chat_folders').where('id', '=', id).execute()
    },
  }
}

const listLive = (db: Kysely<ChatTables>, accountId: string): Promise<FolderRow[]> =>
  db
    .selectFrom('chat_folders')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .execute()

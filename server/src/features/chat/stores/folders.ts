/** SQL of the folders. */
import { type Transaction, type Updateable, sql } from 'kysely'
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
    /** Inserts a folder unless the account has `max` already. */
    insert: (row: FolderRow, max: number): Promise<boolean> =>
      database.write<ChatTables, boolean>(async (trx) => {
        const { count } = await trx
          .selectFrom('chat_folders')
          .where('account_id', '=', row.account_id)
          .where('deleted_at', 'is', null)
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
        if (Number(count) >= max) return false
        await trx.insertInto('chat_folders').values(row).execute()
        return true
      }),

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

    list: (accountId: string): Promise<FolderRow[]> =>
      db()
        .selectFrom('chat_folders')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('deleted_at', 'is', null)
        .execute(),

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

    async update(id: string, patch: Updateable<FolderRow>): Promise<void> {
      await db().updateTable('chat_folders').set(patch).where('id', '=', id).execute()
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

/** SQL of chats and projects that get another owner. */
import type { Transaction } from 'kysely'
import type { Database } from '../../../platform/db/types.ts'
import type { ChatTables, FolderRow, SessionRow } from '../tables.ts'
import type { NewSessionRow } from './sessions.ts'

type Trx = Transaction<ChatTables>

export const createTransferStore = (database: Database) => {
  const db = () => database.tables<ChatTables>()
  const liveOf = (on: Pick<Trx, 'selectFrom'>, folderId: string) =>
    on
      .selectFrom('chat_sessions')
      .selectAll()
      .where('folder_id', '=', folderId)
      .where('deleted_at', 'is', null)
      .where('ready', '=', 1)
      .where('draft', '=', 0)
      .where('expires_at', 'is', null)
  return {
    readChat: async (id: string, on: Pick<Trx, 'selectFrom'> = db()): Promise<SessionRow | null> =>
      (await on.selectFrom('chat_sessions').selectAll().where('id', '=', id).executeTakeFirst()) ?? null,

    readFolder: async (id: string, on: Pick<Trx, 'selectFrom'> = db()): Promise<FolderRow | null> =>
      (await on.selectFrom('chat_folders').selectAll().where('id', '=', id).executeTakeFirst()) ?? null,

    /** What readers of a project see in it. */
    chatsIn: (folderId: string, on: Pick<Trx, 'selectFrom'> = db()): Promise<SessionRow[]> =>
      liveOf(on, folderId).orderBy('id').execute(),

    async attachmentBytes(chatIds: readonly string[]): Promise<number> {
      if (chatIds.length === 0) return 0
      const row = await db()
        .selectFrom('chat_attachments')
        .select((by) => by.fn.coalesce(by.fn.sum<number>('size_bytes'), by.lit(0)).as('bytes'))
        .where('id', 'in', (eb) =>
          eb.selectFrom('chat_attachment_uses').select('attachment_id').where('chat_id', 'in', chatIds),
        )
        .executeTakeFirstOrThrow()
      return Number(row.bytes)
    },

    /** Puts a copy of a chat in its place, under its id; what hangs on the former goes with it. */
    async replaceChat(trx: Trx, row: NewSessionRow, copyId: string): Promise<void> {
      // With its tags: they are the former owner's.
      await trx.deleteFrom('chat_sessions').where('id', '=', row.id).execute()
      await trx
        .insertInto('chat_sessions')
        .values({ ...row, version: 1, indexed_version: 0 })
        .execute()
      for (const table of ['chat_messages', 'chat_attachment_uses'] as const)
        await trx.updateTable(table).set({ chat_id: row.id }).where('chat_id', '=', copyId).execute()
      await trx.deleteFrom('chat_sessions').where('id', '=', copyId).execute()
    },

    /** Live projects of an account. */
    async countFolders(trx: Trx, accountId: string): Promise<number> {
      const { count } = await trx
        .selectFrom('chat_folders')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('account_id', '=', accountId)
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    /** What is left in it, and what lies below it, stays with the former owner. */
    async moveFolder(trx: Trx, { id, account_id: fromId }: FolderRow, values: Pick<FolderRow, 'account_id' | 'name'>) {
      await trx
        .updateTable('chat_sessions')
        .set({ folder_id: null })
        .where('folder_id', '=', id)
        .where('account_id', '=', fromId)
        .execute()
      await trx.updateTable('chat_folders').set({ parent_id: null }).where('parent_id', '=', id).execute()
      await trx
        .updateTable('chat_folders')
        .set({ ...values, parent_id: null, settings: null, files_collection_id: null, digest: null })
        .where('id', '=', id)
        .execute()
    },
  }
}

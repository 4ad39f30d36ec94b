/** SQL of the trash: one row for each thing that was thrown away. */
import type { Transaction } from 'kysely'
import type { CursorKey } from '../../../platform/db/cursor.ts'
import type { Database } from '../../../platform/db/types.ts'
import type { ChatTables, FolderRow, MessageRow, SessionRow, TrashRow } from '../tables.ts'
import { notTemporary } from './sessions.ts'

type Trx = Transaction<ChatTables>

export const createTrashStore = (database: Database) => {
  const db = () => database.tables<ChatTables>()
  return {
    async insertIn(trx: Trx, rows: readonly TrashRow[]): Promise<void> {
      if (rows.length > 0) await trx.insertInto('chat_trash').values(rows).execute()
    },

    /** Latest first, from after a place on; of one kind, or of all. */
    list: (
      accountId: string,
      kind: TrashRow['kind'] | null,
      limit: number,
      after: CursorKey | null,
    ): Promise<TrashRow[]> =>
      db()
        .selectFrom('chat_trash')
        .selectAll()
        .where('account_id', '=', accountId)
        // A message of a temporary chat comes back by Undo alone.
        .where((eb) => eb.or([eb('chat_id', 'is', null), notTemporary('chat_id')]))
        .$if(kind !== null, (query) => query.where('kind', '=', kind as TrashRow['kind']))
        .$if(after !== null, (query) =>
          query.where((eb) =>
            eb(eb.refTuple('deleted_at', 'item_id'), '<', eb.tuple(after?.time ?? 0, after?.id ?? '')),
          ),
        )
        .orderBy('deleted_at', 'desc')
        .orderBy('item_id', 'desc')
        .limit(limit)
        .execute(),

    async read(itemId: string, accountId: string): Promise<TrashRow | null> {
      const row = await db()
        .selectFrom('chat_trash')
        .selectAll()
        .where('item_id', '=', itemId)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return row ?? null
    },

    /** The things themselves, trashed as they are. */
    chats: (ids: readonly string[]): Promise<SessionRow[]> =>
      ids.length === 0
        ? Promise.resolve([])
        : db().selectFrom('chat_sessions').selectAll().where('id', 'in', ids).execute(),
    folders: (ids: readonly string[]): Promise<FolderRow[]> =>
      ids.length === 0
        ? Promise.resolve([])
        : db().selectFrom('chat_folders').selectAll().where('id', 'in', ids).execute(),
    messages: (ids: readonly string[]): Promise<MessageRow[]> =>
      ids.length === 0
        ? Promise.resolve([])
        : db().selectFrom('chat_messages').selectAll().where('id', 'in', ids).execute(),

    /** Trashes live chats of an account; `with_` is the folder they go with, null when each goes by itself. */
    async trashChats(trx: Trx, accountId: string, ids: readonly string[], now: number, with_: string | null) {
      if (ids.length === 0) return []
      // In one statement: of two who throw the same chat away at once, one moves it.
      const rows = await trx
        .updateTable('chat_sessions')
        .set((eb) => ({ deleted_at: now, trash_id: with_ ?? eb.ref('id'), version: eb('version', '+', 1) }))
        .where('account_id', '=', accountId)
        .where('id', 'in', ids)
        .where('deleted_at', 'is', null)
        .returning('id')
        .execute()
      const live = rows.map((row) => row.id)
      if (with_ === null && live.length > 0) {
        await trx
          .insertInto('chat_trash')
          .values(
            live.map((id) => ({
              item_id: id,
              account_id: accountId,
              kind: 'chat' as const,
              chat_id: null,
              deleted_at: now,
            })),
          )
          .execute()
      }
      return live
    },

    /** Brings back the chats that went to the trash with something; gives their ids. */
    async untrashChats(trx: Trx, trashId: string): Promise<string[]> {
      const rows = await trx.selectFrom('chat_sessions').select('id').where('trash_id', '=', trashId).execute()
      await trx
        .updateTable('chat_sessions')
        .set((eb) => ({ deleted_at: null, trash_id: null, version: eb('version', '+', 1) }))
        .where('trash_id', '=', trashId)
        .execute()
      return rows.map((row) => row.id)
    },

    /** Takes a chat out of a folder that is gone or in the trash. */
    async leaveDeadFolder(trx: Trx, chatId: string): Promise<void> {
      await trx
        .updateTable('chat_sessions')
        .set({ folder_id: null })
        .where('id', '=', chatId)
        .where('folder_id', 'not in', (eb) =>
          eb.selectFrom('chat_folders').select('chat_folders.id').where('chat_folders.deleted_at', 'is', null),
        )
        .execute()
    },

    async chatsTrashedWith(trashId: string): Promise<string[]> {
      const rows = await db().selectFrom('chat_sessions').select('id').where('trash_id', '=', trashId).execute()
      return rows.map((row) => row.id)
    },

    /** Takes an entry out; true for exactly one caller. */
    async take(trx: Trx, itemId: string): Promise<boolean> {
      const { numDeletedRows } = await trx
        .deleteFrom('chat_trash')
        .where('item_id', '=', itemId)
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },

    /** Entries of trashed messages of a chat that goes for good. */
    async dropOfChat(trx: Trx, chatId: string): Promise<void> {
      await trx.deleteFrom('chat_trash').where('chat_id', '=', chatId).execute()
    },

    all: (accountId: string, limit: number): Promise<TrashRow[]> =>
      db().selectFrom('chat_trash').selectAll().where('account_id', '=', accountId).limit(limit).execute(),

    /** What was deleted before a time, of all accounts. */
    expired: (kind: TrashRow['kind'], before: number, limit: number): Promise<TrashRow[]> =>
      db()
        .selectFrom('chat_trash')
        .selectAll()
        .where('kind', '=', kind)
        .where('deleted_at', '<', before)
        .limit(limit)
        .execute(),
  }
}

/** SQL of the files that programs left. Their names are sealed; their bytes are in `platform/files`. */
import type { CodeFile } from '@atrium/contract/code-interpreter'
import type { Transaction } from 'kysely'
import { type AnyTransaction, inTables } from '../../platform/db/types.ts'
import { createdBefore, creationKey, cutPage } from '../../platform/db/cursor.ts'
import { toIsoTime } from '../../platform/iso-time.ts'
import type { Platform } from '../../platform/platform.ts'
import { openWords } from '../../platform/stored-json.ts'
import { sandboxLimits } from '../../platform/sandbox/index.ts'
import { mediaTypeOf } from './media-types.ts'
import type { CodeFileRow, CodeInterpreterTables } from './tables.ts'

/** A file that is listed. */
export interface StoredFile extends Omit<CodeFileRow, 'name' | 'path_digest'> {
  readonly name: string
}

export const toCodeFile = ({ id, folder, name, size_bytes, created_at }: StoredFile): CodeFile => ({
  id,
  folder,
  name,
  mediaType: mediaTypeOf(name),
  sizeBytes: size_bytes,
  createdAt: toIsoTime(created_at),
})

/** Rolls the transaction back. */
class FolderFull extends Error {
  readonly problem: 'too_many_keep' | 'too_large_keep'

  constructor(problem: FolderFull['problem']) {
    super('The folder of a chat is full.')
    this.problem = problem
  }
}

type Trx = Transaction<CodeInterpreterTables>
export type CodeFileStore = ReturnType<typeof createCodeFileStore>

export const createCodeFileStore = ({ database, files, vault }: Pick<Platform, 'database' | 'files' | 'vault'>) => {
  const tables = database.tables<CodeInterpreterTables>()
  const open = async (rows: readonly CodeFileRow[]): Promise<StoredFile[]> => {
    const opened = rows.map(async (row) => {
      const keys = await vault.keyring(row.account_id)
      const { path_digest: _, ...file } = row
      return Object.assign(file, { name: openWords(keys, 'code_files.name', row.id, row.name) })
    })
    return Promise.all(opened)
  }
  const digestOf = ({ chat_id, folder, name }: StoredFile): string | null =>
    chat_id === null || folder !== 'keep' ? null : vault.blindIndex('code_files.path', JSON.stringify([chat_id, name]))
  const removeIn = async (trx: Trx, ids: readonly string[]): Promise<void> => {
    if (ids.length === 0) return
    await trx.deleteFrom('code_files').where('id', 'in', ids).execute()
    await files.remove(ids, trx)
  }
  /** Programs that run side by side each see what was there before. */
  const requireFolder = async (trx: Trx, { chat_id }: StoredFile): Promise<void> => {
    const { count, bytes } = await trx
      .selectFrom('code_files')
      .select((by) => [by.fn.countAll<number>().as('count'), by.fn.sum<number>('size_bytes').as('bytes')])
      .where('chat_id', '=', chat_id)
      .where('folder', '=', 'keep')
      .executeTakeFirstOrThrow()
    if (Number(count) > sandboxLimits.keepFiles) throw new FolderFull('too_many_keep')
    if (Number(bytes) > sandboxLimits.keepBytes) throw new FolderFull('too_large_keep')
  }
  const remove = (ids: readonly string[]): Promise<void> =>
    database.write<CodeInterpreterTables, void>((trx) => removeIn(trx, ids))

  return {
    remove,

    /** Those of a chat that belongs to somebody else from now on are in no chat. */
    async detachChat(trx: AnyTransaction, chatId: string): Promise<void> {
      await inTables<CodeInterpreterTables>(trx)
        .updateTable('code_files')
        .set({ chat_id: null, path_digest: null })
        .where('chat_id', '=', chatId)
        .execute()
    },

    /** Of a chat, the oldest first. */
    async ofChat(accountId: string, chatId: string, folder: CodeFileRow['folder']): Promise<StoredFile[]> {
      const rows = await tables
        .selectFrom('code_files')
        .selectAll()
        .where('chat_id', '=', chatId)
        .where('account_id', '=', accountId)
        .where('folder', '=', folder)
        .orderBy('created_at')
        .orderBy('id')
        .execute()
      return open(rows)
    },

    /** What is kept for chats, newest first, and how much all of it is. Refuses with `bad_cursor`. */
    async kept(accountId: string, limit: number, cursor: string | undefined) {
      const ofAccount = () =>
        tables
          .selectFrom('code_files')
          .where('account_id', '=', accountId)
          .where('folder', '=', 'keep')
          .where('chat_id', 'is not', null)
      const rows = await ofAccount()
        .selectAll()
        .$if(cursor !== undefined, (query) => query.where(createdBefore(cursor ?? '')))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute()
      const { bytes } = await ofAccount()
        .select((by) => by.fn.coalesce(by.fn.sum<number>('size_bytes'), by.lit(0)).as('bytes'))
        .executeTakeFirstOrThrow()
      const { items, nextCursor } = cutPage(rows, limit, creationKey)
      return { items: await open(items), nextCursor, totalBytes: Number(bytes) }
    },

    /** Of programs that belonged to no chat. */
    async ofNoChat(accountId: string): Promise<StoredFile[]> {
      const rows = await tables
        .selectFrom('code_files')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('chat_id', 'is', null)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(200)
        .execute()
      return open(rows)
    },

    async read(accountId: string, id: string): Promise<StoredFile | null> {
      const row = await tables
        .selectFrom('code_files')
        .selectAll()
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return row ? ((await open([row]))[0] ?? null) : null
    },

    /**
     * Puts new ones in, in place of others, and of what another program of the chat has kept under the same path
     * meanwhile. Their bytes are there already. Changes nothing, and says why, where `/keep` would hold too much.
     */
    async replace(
      added: readonly StoredFile[],
      removed: readonly string[],
    ): Promise<'too_many_keep' | 'too_large_keep' | null> {
      const rows = await Promise.all(
        added.map(async (file) => {
          const keys = await vault.keyring(file.account_id)
          const name = keys.seal('code_files.name', file.id, file.name)
          return Object.assign({}, file, { name, path_digest: digestOf(file) })
        }),
      )
      const kept = added.filter(({ folder }) => folder === 'keep')
      const replace = async (trx: Trx): Promise<void> => {
        await removeIn(trx, removed)
        for (const { chat_id, path_digest } of rows) {
          if (path_digest === null) continue
          const there = await trx
            .selectFrom('code_files')
            .select('id')
            .where('chat_id', '=', chat_id)
            .where('path_digest', '=', path_digest)
            .execute()
          await removeIn(
            trx,
            there.map(({ id }) => id),
          )
        }
        if (rows.length > 0) await trx.insertInto('code_files').values(rows).execute()
        const [first] = kept
        if (first) await requireFolder(trx, first)
      }
      try {
        await database.write<CodeInterpreterTables, void>(replace)
        return null
      } catch (error) {
        if (error instanceof FolderFull) return error.problem
        throw error
      }
    },

    async removeChat(chatId: string): Promise<void> {
      const rows = await tables.selectFrom('code_files').select('id').where('chat_id', '=', chatId).execute()
      await remove(rows.map(({ id }) => id))
    },

    async removeAccount(accountId: string): Promise<void> {
      const rows = await tables.selectFrom('code_files').select('id').where('account_id', '=', accountId).execute()
      await remove(rows.map(({ id }) => id))
    },

    async removeExpired(now: number, signal: AbortSignal): Promise<void> {
      const atOnce = 500
      for (let count = atOnce; count === atOnce && !signal.aborted; ) {
        const expired = tables.selectFrom('code_files').select('id').where('expires_at', '<', now)
        const rows = await expired.limit(atOnce).execute()
        await remove(rows.map(({ id }) => id))
        count = rows.length
      }
    },

    /** A page of an account's, the oldest first. */
    async page(accountId: string, after: string, limit: number): Promise<StoredFile[]> {
      const rows = await tables
        .selectFrom('code_files')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute()
      return open(rows)
    },

    async largest(accountId: string, limit: number): Promise<StoredFile[]> {
      const rows = await tables
        .selectFrom('code_files')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('size_bytes', 'desc')
        .orderBy('id')
        .limit(limit)
        .execute()
      return open(rows)
    },

    async sum(accountId: string): Promise<{ count: number; bytes: number; trashedBytes: number }> {
      const row = await tables
        .selectFrom('code_files')
        .select((by) => [
          by.fn.countAll<number>().as('count'),
          by.fn.coalesce(by.fn.sum<number>('size_bytes'), by.lit(0)).as('bytes'),
        ])
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow()
      return { count: Number(row.count), bytes: Number(row.bytes), trashedBytes: 0 }
    },
  }
}

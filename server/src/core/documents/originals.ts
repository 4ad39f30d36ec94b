/** The files of a chat's own documents, as they were uploaded. */
import type { ChatFile } from '../generation/index.ts'
import type { DocumentContext } from './context.ts'
import type { BytesAnswer } from '../../platform/http/area.ts'
import { openName } from './stores/index.ts'
import { shownAs } from './shown-as.ts'

const most = 200

/** The oldest first; pages of the web have no file. */
export const listOriginals = async (
  { files, store, vault }: Pick<DocumentContext, 'files' | 'store' | 'vault'>,
  accountId: string,
  sessionId: string,
): Promise<ChatFile[]> => {
  const keys = await vault.keyring(accountId)
  const { items } = await store.rows.ofSession(accountId, sessionId, most, undefined)
  return items.flatMap((row) => {
    const { file_id: fileId } = row
    return fileId === null
      ? []
      : [{ name: openName(keys, row), sizeBytes: row.size_bytes, read: () => files.read(accountId, fileId) }]
  })
}

/** Those of the documents that a chat of an account has now, with a file: pages of the web have none. */
export const findOriginals = async (
  context: Pick<DocumentContext, 'store'>,
  accountId: string,
  sessionId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> =>
  new Set((await readOriginals(context, accountId, sessionId, ids)).map(({ row }) => row.id))

/** The file of one of these, as a browser may show or save it; null: there is none. */
export const openOriginal = async (
  context: Pick<DocumentContext, 'files' | 'store' | 'vault'>,
  accountId: string,
  sessionId: string,
  id: string,
): Promise<BytesAnswer | null> => {
  const [original] = await readOriginals(context, accountId, sessionId, [id])
  const body = original && (await context.files.open(accountId, original.fileId))
  if (!body) return null
  const fileName = openName(await context.vault.keyring(accountId), original.row)
  return { body, ...shownAs(original.row.media_type), fileName }
}

const readOriginals = async (
  { store }: Pick<DocumentContext, 'store'>,
  accountId: string,
  sessionId: string,
  ids: readonly string[],
) => {
  const rows = ids.length === 0 ? [] : await store.rows.readMany([...new Set(ids)])
  return rows.flatMap((row) => {
    const { account_id, session_id, deleted_at, file_id: fileId } = row
    const isThere = account_id === accountId && session_id === sessionId && deleted_at === null
    return isThere && fileId !== null ? [{ row, fileId }] : []
  })
}

/** The files of a chat's own documents, as they were uploaded. */
import type { ChatFile } from '../generation/index.ts'
import type { DocumentContext } from './context.ts'
import { openName } from './stores/index.ts'

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

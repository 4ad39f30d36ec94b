/** What was attached to a chat, for programs that run in it. Its documents are in `core/documents`. */
import type { ChatFile } from '../../core/generation/index.ts'
import type { ChatContext } from './context.ts'
import { rowToAttachment } from './stores/rows.ts'

/** The oldest first; null: the account has no such chat. */
export const listChatFiles = async (
  { store, vault, files }: Pick<ChatContext, 'store' | 'vault' | 'files'>,
  accountId: string,
  chatId: string,
): Promise<ChatFile[] | null> => {
  if (!(await store.sessions.read(chatId, accountId))) return null
  const keys = await vault.keyring(accountId)
  const rows = await store.attachments.readMany(await store.attachments.idsOfChat(chatId), accountId)
  return rows
    .toSorted((a, b) => a.created_at - b.created_at)
    .map((row) => ({
      name: rowToAttachment(keys, row).name,
      sizeBytes: row.size_bytes,
      read: () => files.read(accountId, row.id),
    }))
}

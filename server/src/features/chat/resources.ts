/**
 * What chats, messages and folders are to the rest of the product: how they are shared, found, counted, taken along and
 * removed. A chat lies in its folder, so whoever may read the folder may read the chats in it, also those that come later.
 */
import type { chatArea } from '@atrium/contract/chat'
import type { FindHits, ResourcesOf } from '../../core/resources/index.ts'
import { openWords } from '../../platform/stored-json.ts'
import type { ChatContext } from './context.ts'
import { exportChats } from './export.ts'
import { findInAllChats } from './search/find-shared.ts'
import { chatPartition, trashPartition } from './search/indexing.ts'
import { folderPlaces } from './stores/folders.ts'
import { openTitle, rowToAttachment } from './stores/rows.ts'
import { chatPlaces } from './stores/sessions.ts'
import { chatTransfer, folderTransfer } from './transfer.ts'
import { chatTrash, removeChatForGood } from './trash.ts'

export type ChatResources = ResourcesOf<typeof chatArea>

export const chatResources = (context: ChatContext): ChatResources => {
  // One query finds both, so it is asked once.
  const search: FindHits = (accountId, wanted, limit) => findInAllChats(context, accountId, wanted, limit)

  return {
    chat: {
      missing: 'chat_not_found',
      // In the trash, and while it is being copied, a chat is there for its owner alone.
      places: chatPlaces,
      within: 'folder',
      async describe(ids) {
        const described = new Map<string, { accountId: string; name: string }>()
        for (const row of await context.store.sessions.listShown(ids)) {
          const keys = await context.vault.keyring(row.account_id)
          described.set(row.id, { accountId: row.account_id, name: openTitle(keys, row) })
        }
        return described
      },
      async changed(chatId) {
        const [place] = await context.store.sessions.places([chatId])
        if (place) await context.announce(place.account_id, { type: 'chat-changed', data: { id: chatId } })
      },
      async list(accountId, limit, cursor) {
        const keys = await context.vault.keyring(accountId)
        const { items, nextCursor } = await context.store.sessions.page(accountId, {}, limit, cursor)
        return {
          items: items.map((row) => ({ id: row.id, name: openTitle(keys, row), updatedAt: row.updated_at })),
          nextCursor,
        }
      },
      search,
      isIndexing: (accountId) => context.store.indexing.fromBefore(accountId),
      trash: chatTrash(context, 'chat'),
      count: (accountId) => context.store.exporting.count(accountId, 'chat_sessions'),
      export: (accountId, signal) => exportChats(context, accountId, signal),
      async removeAccount(accountId) {
        for (const id of await context.store.sessions.allIds(accountId)) {
          await context.generations.cancelScopes([id])
          await removeChatForGood(context, id)
        }
        await context.texts.removePartitions([chatPartition(accountId), trashPartition(accountId)])
        const attachmentIds = await context.store.attachments.idsOfAccount(accountId)
        await context.store.removeAccount(accountId)
        await context.files.remove(attachmentIds)
      },
      transfer: chatTransfer(context),
    },

    message: {
      search,
      trash: chatTrash(context, 'message'),
      storage: {
        sum: (accountId) => context.store.attachments.sumOf(accountId),
        async largest(accountId, limit) {
          const keys = await context.vault.keyring(accountId)
          const rows = await context.store.attachments.largest(accountId, limit)
          return rows.map(({ chat_id: chatId, ...row }) => {
            const { id, name, sizeBytes: bytes } = rowToAttachment(keys, row)
            return { id, name, bytes, chatId, trashed: false }
          })
        },
      },
      count: (accountId) => context.store.exporting.count(accountId, 'chat_messages'),
      // Both with its chat.
      export: null,
      removeAccount: null,
      transfer: { never: 'It goes with its chat.' },
    },

    folder: {
      missing: 'folder_not_found',
      places: folderPlaces,
      within: null,
      async describe(ids) {
        const described = new Map<string, { accountId: string; name: string }>()
        for (const row of await context.store.folders.places(ids)) {
          if (row.deleted_at !== null) continue
          const keys = await context.vault.keyring(row.account_id)
          described.set(row.id, {
            accountId: row.account_id,
            name: openWords(keys, 'chat_folders.name', row.id, row.name),
          })
        }
        return described
      },
      async changed(folderId) {
        const [place] = await context.store.folders.places([folderId])
        if (place) await context.announce(place.account_id, { type: 'folders-changed', data: {} })
      },
      // There are a hundred at most.
      async list(accountId) {
        const keys = await context.vault.keyring(accountId)
        const rows = await context.store.folders.list(accountId)
        const items = rows.map((row) => ({
          id: row.id,
          name: openWords(keys, 'chat_folders.name', row.id, row.name),
          updatedAt: row.updated_at,
        }))
        return { items: items.toSorted((a, b) => b.updatedAt - a.updatedAt), nextCursor: null }
      },
      trash: chatTrash(context, 'folder'),
      // With the chats in it.
      export: null,
      async removeAccount(accountId) {
        await context.access.removeGrants('folder', await context.store.folders.allIds(accountId))
        await context.store.folders.removeAccount(accountId)
      },
      transfer: folderTransfer(context),
    },
  }
}

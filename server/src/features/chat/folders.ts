/** Folders: one level, a hundred of them at most, names sealed. */
import type { Folder, chatRoutes } from '@atrium/contract/chat'
import { openWords } from '../../platform/stored-json.ts'
import { isUniqueViolation } from '../../platform/db/index.ts'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Keyring } from '../../platform/vault/types.ts'
import type { ChatContext } from './context.ts'
import { readChatSummaries } from './messages/serialise.ts'
import { summaryForReader } from './sharing/redact.ts'
import { announceFolders } from './sessions/handlers.ts'
import { readOwnerName, announceReach, announceSharing } from './sharing/readers.ts'
import type { FolderCounts } from './stores/folders.ts'
import { toIsoTime } from './stores/rows.ts'
import type { FolderRow } from './tables.ts'
import { afterTrashing } from './trash.ts'

type Routes = Pick<typeof chatRoutes, 'folders' | 'createFolder' | 'updateFolder' | 'removeFolder' | 'folderChats'>

const maxFolders = 100

export const folderHandlers = (context: ChatContext): Handlers<Routes> => ({
  async folders(_input, { caller }) {
    const keys = await context.vault.keyring(caller.accountId)
    const [rows, counts] = await Promise.all([
      context.store.folders.list(caller.accountId),
      context.store.folders.counts(caller.accountId),
    ])
    const shared = await context.access.countGrants(
      'folder',
      rows.map(({ id }) => id),
    )
    const items = rows.map((row) => toFolder(keys, row, shared.has(row.id), counts.get(row.id)))
    return { items: items.sort((a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1)), nextCursor: null }
  },

  async createFolder({ body }, { caller }) {
    const { accountId } = caller
    const keys = await context.vault.keyring(accountId)
    const id = body.id ?? context.clock.id()
    const now = context.clock.now()
    const row: FolderRow = {
      id,
      account_id: accountId,
      name: keys.seal('chat_folders.name', id, body.name),
      digest: context.vault.blindIndex('chat.folder', JSON.stringify([accountId, body.name])),
      created_at: now,
      updated_at: now,
      deleted_at: null,
    }
    try {
      if (!(await context.store.folders.insert(row, maxFolders))) throw fail('folder_limit')
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      const twin = await context.store.folders.anyOfId(id)
      if (twin?.account_id !== accountId || twin.digest !== row.digest || twin.deleted_at) throw fail('id_reused')
      return read(context, keys, id, accountId)
    }
    await announceFolders(context, accountId)
    return toFolder(keys, row, false, undefined)
  },

  async updateFolder({ params, body }, { caller }) {
    const keys = await context.vault.keyring(caller.accountId)
    const folder = await read(context, keys, params.folderId, caller.accountId)
    await context.store.folders.update(folder.id, {
      name: keys.seal('chat_folders.name', folder.id, body.name),
      updated_at: context.clock.now(),
    })
    await announceFolders(context, caller.accountId)
    await announceSharing(context, await context.access.listReaders('folder', folder.id))
    return read(context, keys, folder.id, caller.accountId)
  },

  async removeFolder({ params, query }, { caller }) {
    const { accountId } = caller
    const row = await context.store.folders.read(params.folderId, accountId)
    if (!row) throw fail('folder_not_found')
    const now = context.clock.now()
    const inside = await context.store.sessions.idsOfFolder(accountId, row.id)
    const moved = await context.store.write(async (trx) => {
      if (!(await context.store.folders.trashIn(trx, row.id, now))) throw fail('folder_not_found')
      // Chats that go with the folder stay in it, so that they come back into it.
      if (query.chats === 'keep') await context.store.folders.emptyIn(trx, accountId, row.id)
      await context.store.trash.insertIn(trx, [
        { item_id: row.id, account_id: accountId, kind: 'folder', chat_id: null, deleted_at: now },
      ])
      return query.chats === 'trash' ? context.store.trash.trashChats(trx, accountId, inside, now, row.id) : []
    })
    await afterTrashing(context, accountId, moved)
    if (query.chats === 'keep') for (const id of inside) context.announceChange(accountId, id)
    await announceFolders(context, accountId)
    await announceReach(context, await context.access.listReaders('folder', row.id))
    return {}
  },

  async folderChats({ query }, { resource }) {
    const folder = await context.store.folders.read(resource.id, resource.ownerId)
    if (!folder) throw fail('folder_not_found')
    const keys = await context.vault.keyring(resource.ownerId)
    const filter = { folderId: folder.id, archived: false }
    const page = await context.store.sessions.page(resource.ownerId, filter, query.limit, query.cursor)
    const items = await readChatSummaries(context, keys, page.items)
    const own = resource.right === 'owner'
    return {
      items: own ? items : items.map(summaryForReader),
      nextCursor: page.nextCursor,
      name: openWords(keys, 'chat_folders.name', folder.id, folder.name),
      ownerName: own ? null : await readOwnerName(context, resource.ownerId),
    }
  },
})

const read = async (context: ChatContext, keys: Keyring, id: string, accountId: string): Promise<Folder> => {
  const row = await context.store.folders.read(id, accountId)
  if (!row) throw fail('folder_not_found')
  const [shared, counts] = await Promise.all([
    context.access.countGrants('folder', [id]),
    context.store.folders.counts(accountId, id),
  ])
  return toFolder(keys, row, shared.has(id), counts.get(id))
}

const toFolder = (keys: Keyring, row: FolderRow, shared: boolean, counts: FolderCounts | undefined): Folder => ({
  id: row.id,
  name: openWords(keys, 'chat_folders.name', row.id, row.name),
  shared,
  chatCount: counts?.chats ?? 0,
  unreadCount: counts?.unread ?? 0,
  runningCount: counts?.running ?? 0,
  createdAt: toIsoTime(row.created_at),
  updatedAt: toIsoTime(row.updated_at),
  deletedAt: row.deleted_at === null ? null : toIsoTime(row.deleted_at),
})

/** Projects as folders: made, named, nested, thrown away; a hundred at most, names and settings sealed. */
import type { Folder, chatRoutes } from '@atrium/contract/chat'
import type { Updateable } from 'kysely'
import { openWords } from '../../platform/stored-json.ts'
import { isUniqueViolation } from '../../platform/db/index.ts'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Keyring } from '../../platform/vault/types.ts'
import { toIsoTime } from '../../platform/iso-time.ts'
import type { ChatContext } from './context.ts'
import { readChatSummaries } from './messages/serialise.ts'
import { summaryForReader } from './sharing/redact.ts'
import { mayNest } from './rules.ts'
import { announceFolders } from './sessions/handlers.ts'
import { readOwnerName, announceReach, announceSharing } from './sharing/readers.ts'
import type { FolderCounts } from './stores/folders.ts'
import { openFolderSettings, sealFolderSettings } from './stores/rows.ts'
import type { FolderRow } from './tables.ts'
import { afterTrashing } from './trash.ts'

type Routes = Pick<typeof chatRoutes, 'folders' | 'createFolder' | 'updateFolder' | 'removeFolder' | 'folderChats'>

export const maxFolders = 100

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
    if (body.parentId) await requireFolder(context, body.parentId, accountId)
    const row: FolderRow = {
      id,
      account_id: accountId,
      name: keys.seal('chat_folders.name', id, body.name),
      parent_id: body.parentId ?? null,
      settings: null,
      files_collection_id: null,
      digest: context.vault.blindIndex('chat.folder', JSON.stringify([accountId, body.name])),
      created_at: now,
      updated_at: now,
      deleted_at: null,
    }
    try {
      const outcome = await context.store.folders.insert(row, maxFolders, (all) => canBeIn(all, id, row.parent_id))
      if (outcome === 'full') throw fail('folder_limit')
      if (outcome === 'refused') throw fail('folder_too_deep')
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      const twin = await context.store.folders.anyOfId(id)
      if (twin?.account_id !== accountId || twin.digest !== row.digest || twin.deleted_at) throw fail('id_reused')
      return readFolder(context, keys, id, accountId)
    }
    await announceFolders(context, accountId)
    return toFolder(keys, row, false, undefined)
  },

  async updateFolder({ params, body }, { caller }) {
    const keys = await context.vault.keyring(caller.accountId)
    const { name, parentId, settings } = body
    const row = await requireFolder(context, params.folderId, caller.accountId)
    if (parentId) await requireFolder(context, parentId, caller.accountId)
    const patch: Updateable<FolderRow> = { updated_at: context.clock.now() }
    if (name !== undefined) patch.name = keys.seal('chat_folders.name', row.id, name)
    if (parentId !== undefined) patch.parent_id = parentId
    if (settings !== undefined)
      patch.settings = sealFolderSettings(keys, row.id, { ...openFolderSettings(keys, row), ...settings })
    const mayBe = (all: readonly FolderRow[]) => parentId === undefined || canBeIn(all, row.id, parentId)
    const outcome = await context.store.folders.change(row, patch, mayBe)
    if (outcome !== 'changed') throw fail(outcome === 'gone' ? 'folder_not_found' : 'folder_too_deep')
    await announceFolders(context, caller.accountId)
    await announceSharing(context, await context.access.listReaders('folder', row.id))
    return readFolder(context, keys, row.id, caller.accountId)
  },

  async removeFolder({ params, query }, { caller }) {
    const { accountId } = caller
    const row = await requireFolder(context, params.folderId, accountId)
    const now = context.clock.now()
    const inside = await context.store.sessions.idsOfFolder(accountId, row.id)
    const moved = await context.store.write(async (trx) => {
      if (!(await context.store.folders.trashIn(trx, row.id, now))) throw fail('folder_not_found')
      await context.store.folders.moveUpIn(trx, row)
      // Chats that go with the folder stay in it, so that they come back into it.
      if (query.chats === 'keep') await context.store.folders.emptyIn(trx, accountId, row.id)
      await context.store.trash.insertIn(trx, [
        { item_id: row.id, account_id: accountId, kind: 'folder', chat_id: null, deleted_at: now, relinked: null },
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

const canBeIn = (all: readonly FolderRow[], id: string, parentId: string | null): boolean =>
  parentId === null || mayNest(all, id, parentId)

const requireFolder = async (context: ChatContext, id: string, accountId: string): Promise<FolderRow> => {
  const row = await context.store.folders.read(id, accountId)
  if (!row) throw fail('folder_not_found')
  return row
}

/** A folder of the account as it stands in lists. Refuses with `folder_not_found`. */
export const readFolder = async (
  context: ChatContext,
  keys: Keyring,
  id: string,
  accountId: string,
): Promise<Folder> => {
  const row = await requireFolder(context, id, accountId)
  const [shared, counts] = await Promise.all([
    context.access.countGrants('folder', [id]),
    context.store.folders.counts(accountId, id),
  ])
  return toFolder(keys, row, shared.has(id), counts.get(id))
}

const toFolder = (keys: Keyring, row: FolderRow, shared: boolean, counts: FolderCounts | undefined): Folder => ({
  id: row.id,
  name: openWords(keys, 'chat_folders.name', row.id, row.name),
  parentId: row.parent_id,
  selection: openFolderSettings(keys, row).selection,
  shared,
  chatCount: counts?.chats ?? 0,
  unreadCount: counts?.unread ?? 0,
  runningCount: counts?.running ?? 0,
  createdAt: toIsoTime(row.created_at),
  updatedAt: toIsoTime(row.updated_at),
  deletedAt: row.deleted_at === null ? null : toIsoTime(row.deleted_at),
})

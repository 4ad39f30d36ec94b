/**
 * Chats and folders that others may read: how they answer to grants, and how those who read along hear of changes. A
 * chat lies in its folder, so whoever may read the folder may read the chats in it, also those that come later.
 */
import type { Access, Owner } from '../../../core/access/index.ts'
import { openWords } from '../../../platform/stored-json.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { ChatContext } from '../context.ts'
import { folderPlaces } from '../stores/folders.ts'
import { chatPlaces } from '../stores/sessions.ts'
import { openTitle } from '../stores/rows.ts'
import type { SessionRow } from '../tables.ts'

/** How chats answer to sharing. In the trash, and while it is being copied, a chat is there for its owner alone. */
export const chatOwner = (context: ChatContext): Owner => ({
  missing: 'chat_not_found',
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
  async changed(chatId, accountIds) {
    const [place] = await context.store.sessions.places([chatId])
    if (place) await context.announce(place.account_id, { type: 'chat-changed', data: { id: chatId } })
    await announceSharing(context, accountIds)
  },
  async listOf(accountId, limit, cursor) {
    const keys = await context.vault.keyring(accountId)
    const { items, nextCursor } = await context.store.sessions.page(accountId, {}, limit, cursor)
    return {
      items: items.map((row) => ({ id: row.id, name: openTitle(keys, row), updatedAt: row.updated_at })),
      nextCursor,
    }
  },
})

/** How folders answer to sharing. */
export const folderOwner = (context: ChatContext): Owner => ({
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
  async changed(folderId, accountIds) {
    const [place] = await context.store.folders.places([folderId])
    if (place) await context.announce(place.account_id, { type: 'folders-changed', data: {} })
    await announceSharing(context, accountIds)
  },
  // There are a hundred at most.
  async listOf(accountId) {
    const keys = await context.vault.keyring(accountId)
    const rows = await context.store.folders.list(accountId)
    const items = rows.map((row) => ({
      id: row.id,
      name: openWords(keys, 'chat_folders.name', row.id, row.name),
      updatedAt: row.updated_at,
    }))
    return { items: items.toSorted((a, b) => b.updatedAt - a.updatedAt), nextCursor: null }
  },
})

type Placed = Pick<SessionRow, 'id' | 'folder_id'>
type Grants = Pick<Access, 'countGrants' | 'listReaders'>

/** Which of these chats of one owner others may read; two queries at most, however many chats there are. */
export const listShared = async (access: Grants, chats: readonly Placed[]): Promise<ReadonlySet<string>> => {
  if (chats.length === 0) return new Set()
  const folderIds = foldersOf(chats)
  const [own, inFolders] = await Promise.all([
    access.countGrants(
      'chat',
      chats.map(({ id }) => id),
    ),
    folderIds.length === 0 ? new Map<string, number>() : access.countGrants('folder', folderIds),
  ])
  const isShared = ({ id, folder_id }: Placed) => own.has(id) || (folder_id !== null && inFolders.has(folder_id))
  return new Set(chats.filter(isShared).map(({ id }) => id))
}

/** The other accounts that may read any of these chats, by the chat's grants or by those of its folder. */
export const listReaders = async (access: Grants, chats: readonly Placed[]): Promise<string[]> => {
  const shared = await listShared(access, chats)
  const some = chats.filter(({ id }) => shared.has(id))
  const readers = await Promise.all([
    ...some.map(({ id }) => access.listReaders('chat', id)),
    ...foldersOf(some).map((id) => access.listReaders('folder', id)),
  ])
  return [...new Set(readers.flat())]
}

/** What is shared with these accounts is more, less, or called otherwise. */
export const announceSharing = async (
  context: Pick<ChatContext, 'announce'>,
  accountIds: readonly string[],
): Promise<void> => {
  for (const accountId of accountIds) await context.announce(accountId, { type: 'shared-changed', data: {} })
}

/** These accounts reach more or less than before, without a grant that was given or taken: by a move, or by the trash. */
export const announceReach = async (
  context: Pick<ChatContext, 'announce' | 'access'>,
  accountIds: readonly string[],
): Promise<void> => {
  await context.access.announceReach(accountIds)
  await announceSharing(context, accountIds)
}

/** What the owner of something is called, for those who may read it. */
export const readOwnerName = async (context: ChatContext, ownerId: string): Promise<string> => {
  const name = await context.userName(ownerId)
  // Deleted between the check of the right and this reading.
  if (name === null) throw fail('chat_not_found')
  return name
}

const foldersOf = (chats: readonly Placed[]): string[] => [
  ...new Set(chats.flatMap(({ folder_id }) => (folder_id === null ? [] : [folder_id]))),
]

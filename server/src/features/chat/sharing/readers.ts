/** Which chats others may read, and how those who read along hear of changes. */
import type { Access } from '../../../core/access/index.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { ChatContext } from '../context.ts'
import type { SessionRow } from '../tables.ts'

type ChatInFolder = Pick<SessionRow, 'id' | 'folder_id'>
type Grants = Pick<Access, 'countGrants' | 'listReaders'>

/** Which of these chats of one owner others may read, by a grant or by a link. */
export const listShown = async (
  { access, store, clock }: Pick<ChatContext, 'access' | 'store' | 'clock'>,
  chats: readonly ChatInFolder[],
): Promise<ReadonlySet<string>> => {
  const [granted, linked] = await Promise.all([
    listShared(access, chats),
    store.links.countByThing(
      chats.map(({ id }) => id),
      clock.now(),
    ),
  ])
  return new Set([...granted, ...linked.keys()])
}

/** Which of these chats of one owner other accounts may read; two queries at most, however many chats there are. */
const listShared = async (access: Grants, chats: readonly ChatInFolder[]): Promise<ReadonlySet<string>> => {
  if (chats.length === 0) return new Set()
  const folderIds = foldersOf(chats)
  const [own, inFolders] = await Promise.all([
    access.countGrants(
      'chat',
      chats.map(({ id }) => id),
    ),
    folderIds.length === 0 ? new Map<string, number>() : access.countGrants('folder', folderIds),
  ])
  const isShared = ({ id, folder_id }: ChatInFolder) => own.has(id) || (folder_id !== null && inFolders.has(folder_id))
  return new Set(chats.filter(isShared).map(({ id }) => id))
}

/** The other accounts that may read any of these chats, by the chat's grants or by those of its folder. */
export const listReaders = async (access: Grants, chats: readonly ChatInFolder[]): Promise<string[]> => {
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

const foldersOf = (chats: readonly ChatInFolder[]): string[] => [
  ...new Set(chats.flatMap(({ folder_id }) => (folder_id === null ? [] : [folder_id]))),
]

/** The search over chats, including those of others that the caller may read now. */
import type { SearchHit, SearchQuery } from '../../../core/resources/index.ts'
import type { ChatContext } from '../context.ts'
import { wantedFacets, findInChats, isChatWanted, kindsOf, rowsToHits } from './find.ts'
import { chatPartition, messageOfResults } from './indexing.ts'
import type { SessionRow } from '../tables.ts'

/** Own chats and those that are shared, best first. */
export const findInAllChats = async (
  context: ChatContext,
  accountId: string,
  wanted: SearchQuery,
  limit: number,
): Promise<readonly SearchHit[]> => {
  const [own, shared] = await Promise.all([
    findInChats(context, accountId, wanted, limit),
    findInShared(context, accountId, wanted, limit),
  ])
  return shared.length === 0 ? own : [...own, ...shared].toSorted((a, b) => b.score - a.score).slice(0, limit)
}

/** Without words, and for the caller's own messages, only own chats are searched. */
const findInShared = async (
  context: ChatContext,
  accountId: string,
  wanted: SearchQuery,
  limit: number,
): Promise<SearchHit[]> => {
  const kinds = kindsOf(wanted)
  if (kinds.length === 0 || wanted.words === '' || wanted.from === 'me') return []
  // Only its owner pins, archives and tags a chat.
  if (wanted.is.has('pinned') || wanted.is.has('archived') || wanted.tags.length > 0) return []
  const found: SearchHit[] = []
  for (const [ownerId, chats] of Map.groupBy(await sharedChats(context, accountId), ({ account_id }) => account_id)) {
    const keys = await context.vault.keyring(ownerId)
    const among = chats.filter((chat) => isChatWanted(keys, chat, wanted))
    if (among.length === 0) continue
    const hits = await context.texts.find({
      text: wanted.words,
      partitions: [chatPartition(ownerId)],
      groups: among.map(({ id }) => id),
      facets: wantedFacets(wanted, kinds),
      after: wanted.after ?? undefined,
      before: wanted.before ?? undefined,
      limit: limit + 10,
      everyWord: true,
      typing: true,
    })
    // What tools gave is its owner's.
    const shown = hits.filter(({ id }) => messageOfResults(id) === null)
    const presented = await rowsToHits(context, keys, ownerId, wanted.words, shown)
    found.push(...presented.map((hit) => ({ ...hit, ownerId })))
  }
  return found
}

/** The most shared chats that are searched, the latest first. */
const mostChats = 500

const sharedChats = async (context: ChatContext, accountId: string): Promise<SessionRow[]> => {
  const [chats, folders] = await Promise.all([
    context.access.listReachable(accountId, 'chat'),
    context.access.listReachable(accountId, 'folder'),
  ])
  const [direct, inside] = await Promise.all([
    context.store.sessions.listShown(chats.map(({ resourceId }) => resourceId)),
    context.store.sessions.inFolders(
      folders.map(({ resourceId, ownerId }) => ({ id: resourceId, ownerId })),
      mostChats,
    ),
  ])
  const byId = new Map([...direct, ...inside].map((row) => [row.id, row]))
  return [...byId.values()].toSorted((a, b) => b.updated_at - a.updated_at).slice(0, mostChats)
}

/** The lists of chats and folders in the cache, and how they follow what happens here and elsewhere. */
import { chatRoutes as routes, type Chat, type ChatSummary } from '@atrium/contract/chat'
import { infiniteQueryOptions, type QueryKey, queryOptions } from '@tanstack/react-query'
import { onAccountEvent } from '../../../api/account-events.ts'
import { call } from '../../../api/client.ts'
import { Problem } from '../../../api/errors.ts'
import { changeKnown, keyOf, queryClient, queryOf, refresh } from '../../../api/query.ts'
import { refreshShared } from '../../../blocks/shared-with-me/data.ts'
import { changeHead } from '../open/conversation.ts'
import { followRunning } from '../open/follow.ts'
import { changeConversation, chatsOnScreen, forgetChats, knownChat, reloadChat } from '../open/store.ts'
import { findChat, type ListFilter, type ListPages, placeChat, removeChat } from './pages.ts'

const listKey = (filter?: ListFilter): QueryKey => [...keyOf(routes.list), 'list', ...(filter ? [filter] : [])]

/** One list, page by page. */
export const listQuery = (filter: ListFilter) =>
  infiniteQueryOptions({
    queryKey: listKey(filter),
    queryFn: ({ pageParam, signal }) =>
      call(routes.list, { query: { ...filter, limit: 40, cursor: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    staleTime: 300_000,
  })

/** The latest chats of a project, as the sidebar shows them below it. */
export const chatsInside = (folderId: string) =>
  queryOptions({
    // As a list of one page, so that it follows what happens as all lists do.
    queryKey: [...listKey({ folderId }), 'inside'],
    queryFn: async ({ signal }): Promise<ListPages> => ({
      pages: [await call(routes.list, { query: { folderId, limit: 30 } }, { signal })],
      pageParams: [undefined],
    }),
    staleTime: 300_000,
  })

export const foldersQuery = queryOf(routes.folders)

/** Puts a changed chat where it belongs in every loaded list, and into the open chat. */
export function putChat(chat: ChatSummary): void {
  eachList((data, filter) => placeChat(data, chat, filter))
  const open = knownChat(chat.id)
  if (open) changeConversation(open, (now) => changeHead(now, summaryOf(chat)))
}

/** Takes a chat out of every loaded list. */
export function dropChat(id: string): void {
  eachList((data) => removeChat(data, id))
}

/** A chat as some loaded list has it. */
export function cachedChat(id: string): ChatSummary | undefined {
  for (const [, data] of queryClient.getQueriesData<ListPages>({ queryKey: listKey() })) {
    const found = data && findChat(data, id)
    if (found) return found
  }
  return knownChat(id)?.store.getState().conversation?.head
}

/** All lists are loaded again: what is on screen at once, the rest when it is next shown. */
export const refreshLists = (): void => {
  void queryClient.invalidateQueries({ queryKey: listKey() })
  void refresh(routes.folders)
}

/** The own tags are loaded again; with `names`, also what shows those of chats: lists, and the chats on screen. */
export async function refreshTags(names: boolean): Promise<void> {
  if (names) refreshLists()
  await refresh(routes.tags)
  if (names) for (const open of chatsOnScreen()) if (!open.creating) await reloadChat(open)
}

/** Keeps lists and open chats right while other tabs and devices work on them. Call it once. */
export function followAccountChanges(): void {
  const waiting = new Map<string, ReturnType<typeof setTimeout>>()
  const soon = (id: string, run: () => void) => {
    clearTimeout(waiting.get(id))
    // A burst of changes of one chat is read once.
    waiting.set(id, setTimeout(run, 120))
  }
  onAccountEvent('chat-changed', ({ id }) => soon(id, () => void readChat(id)))
  onAccountEvent('chat-removed', ({ id }) => {
    dropChat(id)
    const open = knownChat(id)
    if (open?.users) void reloadChat(open)
    else forgetChats(id)
    soon('folders', () => void refresh(routes.folders))
    soon('tags false', () => void refreshTags(false))
  })
  onAccountEvent('shared-chat-changed', ({ id }) => soon(id, () => void readShared(id)))
  onAccountEvent('shared-changed', () => soon('shared', () => void readShared()))
  onAccountEvent('folders-changed', () => soon('folders', () => void refresh(routes.folders)))
  onAccountEvent('tags-changed', ({ names }) => soon(`tags ${names}`, () => void refreshTags(names)))
}

async function readChat(id: string): Promise<void> {
  const open = knownChat(id)
  try {
    if (open?.creating) return
    if (open?.opening || open?.store.getState().conversation) {
      await reloadChat(open)
      followRunning(open)
      const head = open.store.getState().conversation?.head
      if (head) putChat(head)
      return
    }
    const chat = await call(routes.read, { params: { sessionId: id }, query: { limit: 1 } })
    putChat(summaryOf(chat))
  } catch (error) {
    if (error instanceof Problem && error.code === 'chat_not_found') return dropChat(id)
    // No connection: the lists are loaded again when it is back.
    if (!(error instanceof Problem)) throw error
  }
}

/** Something that others share changed: one chat, or what there is. Of open chats, those of others are read again. */
async function readShared(id?: string): Promise<void> {
  // Its name may be another; what is shared is followed by the list itself.
  if (id !== undefined) void refreshShared()
  void refresh(routes.folderChats)
  for (const open of chatsOnScreen()) {
    const { conversation, problem } = open.store.getState()
    const concerned = id === undefined ? conversation?.head.ownerName || problem !== null : open.id === id
    if (!concerned || open.creating) continue
    await reloadChat(open)
    followRunning(open)
  }
}

const eachList = (step: (data: ListPages, filter: ListFilter) => ListPages): void =>
  changeKnown<ListPages>(listKey(), (data, key) => step(data, key[2] as ListFilter))

const fields = [
  'id',
  'title',
  'titleSource',
  'selection',
  'folderId',
  'pinned',
  'archived',
  'runningGenerationId',
  'needsAnswer',
  'failed',
  'unread',
  'shared',
  'tags',
  'expiresAt',
  'createdAt',
  'updatedAt',
  'deletedAt',
] as const satisfies readonly (keyof ChatSummary)[]

/** Only what belongs into a list. */
export const summaryOf = (chat: Chat | ChatSummary): ChatSummary =>
  Object.fromEntries(fields.map((field) => [field, chat[field]])) as unknown as ChatSummary

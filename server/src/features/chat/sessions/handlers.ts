/** The chats themselves: listed, searched, made, changed, thrown away. */
import type { Chat, ChatSummary, chatRoutes } from '@atrium/contract/chat'
import type { Input } from '@atrium/contract/route'
import { decodeCursor, encodeCursor, isUniqueViolation } from '../../../platform/db/index.ts'
import type { Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import { type ChatContext, openChat } from '../context.ts'
import { readChat, readSharedChat, readChatSummaries, readChatSummary } from '../messages/serialise.ts'
import { searchForm } from '../rules.ts'
import { announceReach, listReaders } from '../sharing/readers.ts'
import { openTitle, sealSettings, sealTitle, selectionToText } from '../stores/rows.ts'
import { initialState, type ListFilter, type NewSessionRow } from '../stores/sessions.ts'
import type { SessionRow } from '../tables.ts'
import { announceTags, changeTags, newTags, tagDigest } from '../tags.ts'
import { trashChats } from '../trash.ts'
import { requireTools } from '../generations/tool-turn.ts'
import { readSelection, startSelection } from './selection.ts'
import { expiryFrom, removeTemporaryChat } from './temporary.ts'
import { settleAnswers } from '../generations/finished-notice.ts'

type Routes = Pick<typeof chatRoutes, 'list' | 'create' | 'clear' | 'read' | 'update' | 'remove'>

export const untitledName = 'New chat'

export const sessionHandlers = (context: ChatContext): Handlers<Routes> => ({
  async list({ query }, { caller, signal }) {
    const keys = await context.vault.keyring(caller.accountId)
    const filter = {
      folderId: query.folderId,
      pinned: query.pinned === undefined ? undefined : query.pinned === 'true',
      archived: query.archived === 'any' ? undefined : query.archived === 'true',
      tags: query.tag === undefined ? undefined : [tagDigest(context, caller.accountId, query.tag)],
    }
    if (query.q) return search(context, keys, caller.accountId, filter, { ...query, q: query.q }, signal)
    const page = await context.store.sessions.page(caller.accountId, filter, query.limit, query.cursor)
    return { items: await readChatSummaries(context, keys, page.items), nextCursor: page.nextCursor }
  },

  create: ({ body }, { caller }) => createChat(context, caller.accountId, body),

  async clear(_input, { caller }) {
    let trashed = 0
    for (;;) {
      const ids = await context.store.sessions.liveIds(caller.accountId, 200)
      if (ids.length === 0) break
      trashed += (await trashChats(context, caller.accountId, ids)).length
    }
    for (const id of await context.store.sessions.temporaryIds(caller.accountId))
      await removeTemporaryChat(context, { id, account_id: caller.accountId })
    return { trashed }
  },

  async read({ query }, { resource }) {
    const { chat, keys } = await openChat(context, resource.id, resource.ownerId)
    const own = resource.right === 'owner'
    return own ? readChat(context, keys, chat, query.limit) : readSharedChat(context, keys, chat, query.limit)
  },

  async update({ params, body }, { caller }) {
    const { chat, keys } = await openChat(context, params.sessionId, caller.accountId)
    if (body.folderId) await refuseUnknownFolder(context, body.folderId, caller.accountId)
    if (body.temporary === false && chat.expires_at !== null) {
      await context.store.write(async (trx) => {
        await context.store.sessions.keepIn(trx, chat.id)
        await context.store.trash.leaveDeadFolder(trx, chat.id)
      })
      context.announceChange(caller.accountId, chat.id)
      if (chat.folder_id !== null) await announceFolders(context, caller.accountId)
    }
    if (body.temporary === true && chat.active_leaf_id !== null)
      throw fail('conflict', 'Only a chat without messages can become temporary.')
    await requireTools(context, caller.accountId, body.settings?.tools)
    const selection = await readSelection(context, caller.accountId, body)
    if (body.tags !== undefined) {
      const add = newTags(context, keys, caller.accountId, body.tags)
      const change = { accountId: caller.accountId, chatIds: [chat.id], add, remove: 'others' } as const
      await context.store.write((trx) => changeTags(context, trx, change))
      if (chat.draft === 0) context.announceChange(caller.accountId, chat.id)
      await announceTags(context, caller.accountId)
    }
    const patch: Partial<SessionRow> = {}
    if (body.temporary === true) patch.expires_at = expiryFrom(context, context.clock.now())
    if (body.title !== undefined) {
      patch.title = sealTitle(keys, chat.id, body.title)
      patch.title_source = 'own'
    }
    if (selection !== undefined) patch.selection = selectionToText(selection)
    if (body.pinned !== undefined) patch.pinned = body.pinned ? 1 : 0
    if (body.archived !== undefined) patch.archived = body.archived ? 1 : 0
    if (body.folderId !== undefined) patch.folder_id = body.folderId
    if (body.unread !== undefined) patch.unread = body.unread ? 1 : 0
    if (body.settings !== undefined) patch.settings = sealSettings(keys, chat.id, body.settings)
    if (Object.keys(patch).length > 0) {
      if (!(await context.store.sessions.update(chat, patch))) throw fail('chat_not_found')
      if (chat.unread === 1 && body.unread === false) await settleAnswers(context, caller.accountId, chat.id)
      if (chat.draft === 0) context.announceChange(caller.accountId, chat.id)
      if (chat.folder_id !== null || body.folderId) await announceFolders(context, caller.accountId)
      if (body.folderId !== undefined && body.folderId !== chat.folder_id) {
        const moved = { id: chat.id, folder_id: body.folderId }
        await announceReach(context, await listReaders(context.access, [chat, moved]))
      }
    }
    return readChatSummary(context, keys, (await openChat(context, chat.id, caller.accountId)).chat)
  },

  async remove({ params }, { caller }) {
    const { chat } = await openChat(context, params.sessionId, caller.accountId)
    if (chat.expires_at !== null) await removeTemporaryChat(context, chat)
    else await trashChats(context, caller.accountId, [chat.id])
    return {}
  },
})

/** Makes a chat. Refuses as the route `create` does. */
export const createChat = async (
  context: ChatContext,
  accountId: string,
  body: Input<typeof chatRoutes.create>['body'],
): Promise<Chat> => {
  const keys = await context.vault.keyring(accountId)
  const digest = context.vault.blindIndex('chat.create', JSON.stringify([accountId, body]))
  if (body.folderId) await refuseUnknownFolder(context, body.folderId, accountId)
  await requireTools(context, accountId, body.settings?.tools)
  const selection = await readSelection(context, accountId, body)
  const id = body.id ?? context.clock.id()
  const now = context.clock.now()
  const place = { account_id: accountId, folder_id: body.folderId ?? null }
  const tags = newTags(context, keys, accountId, body.tags ?? [])
  try {
    const row: NewSessionRow = {
      id,
      account_id: accountId,
      title: sealTitle(keys, id, body.title ?? untitledName),
      title_source: body.title === undefined ? 'default' : 'own',
      selection: selectionToText(selection ?? (body.draft ? null : await startSelection(context, keys, place))),
      settings: body.settings ? sealSettings(keys, id, body.settings) : null,
      forked_from: null,
      folder_id: body.folderId ?? null,
      ...initialState,
      draft: body.draft ? 1 : 0,
      ready: 1,
      expires_at: body.temporary === true ? expiryFrom(context, now) : null,
      digest: body.id === undefined ? null : digest,
      created_at: now,
      updated_at: now,
      deleted_at: null,
      trash_id: null,
    }
    if (tags.length === 0) await context.store.sessions.insert(row)
    else
      await context.store.write(async (trx) => {
        await context.store.sessions.insert(row, trx)
        await changeTags(context, trx, { accountId, chatIds: [id], add: tags, remove: [] })
      })
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    const twin = await context.store.sessions.anyOfId(id)
    if (twin?.account_id !== accountId || twin.digest !== digest || twin.deleted_at !== null) throw fail('id_reused')
  }
  if (!body.draft) context.announceChange(accountId, id)
  if (tags.length > 0) await announceTags(context, accountId)
  return readChat(context, keys, (await openChat(context, id, accountId)).chat)
}

export const announceFolders = (context: ChatContext, accountId: string): Promise<void> =>
  context.announce(accountId, { type: 'folders-changed', data: {} })

const refuseUnknownFolder = async (context: ChatContext, folderId: string, accountId: string): Promise<void> => {
  if (!(await context.store.folders.read(folderId, accountId))) throw fail('folder_not_found')
}

/** So many titles are opened between two looks at other requests: well under a millisecond of work. */
const sliceSize = 200

/** Finds chats whose title holds every word. Titles are sealed, so they are opened slice by slice, latest first. */
const search = async (
  context: ChatContext,
  keys: Keyring,
  accountId: string,
  filter: ListFilter,
  query: { readonly q: string; readonly limit: number; readonly cursor?: string | undefined },
  signal: AbortSignal,
): Promise<{ items: ChatSummary[]; nextCursor: string | null }> => {
  const words = searchForm(query.q).split(/\s+/)
  const found: SessionRow[] = []
  const page = async (nextCursor: string | null) => ({
    items: await readChatSummaries(context, keys, found),
    nextCursor,
  })
  let key = query.cursor === undefined ? null : decodeCursor(query.cursor)
  while (!signal.aborted) {
    const rows = await context.store.sessions.slice(accountId, filter, key, sliceSize)
    for (const row of rows) {
      key = { time: row.updated_at, id: row.id }
      const title = searchForm(openTitle(keys, row))
      if (!words.every((word) => title.includes(word))) continue
      found.push(row)
      if (found.length === query.limit) return page(encodeCursor(key))
    }
    if (rows.length < sliceSize) break
    await new Promise(setImmediate)
  }
  return page(null)
}

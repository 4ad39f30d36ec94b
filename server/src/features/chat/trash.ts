/** The trash: what was thrown away stays for thirty days, can be brought back, and is then deleted for good. */
import type { TrashItem, chatRoutes } from '@atrium/contract/chat'
import { type Trash, trashKeptMs } from '../../core/resources/index.ts'
import { cutPage, decodeCursor } from '../../platform/db/cursor.ts'
import { openWords } from '../../platform/stored-json.ts'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Keyring } from '../../platform/vault/types.ts'
import { toIsoTime } from '../../platform/iso-time.ts'
import type { ChatContext } from './context.ts'
import { withdrawAnswers } from './generations/finished-notice.ts'
import { denyWaiting } from './generations/waiting.ts'
import { activatePathTo } from './messages/path.ts'
import { relinkRestored } from './messages/removal.ts'
import { firstWords } from './rules.ts'
import { messageEntries } from './search/indexing.ts'
import { announceReach, listReaders } from './sharing/readers.ts'
import { openContent, openTitle } from './stores/rows.ts'
import type { TrashRow } from './tables.ts'
import { announceTags } from './tags.ts'

type Routes = Pick<typeof chatRoutes, 'trash' | 'restoreTrash' | 'removeTrash' | 'emptyTrash'>

export const trashHandlers = (context: ChatContext): Handlers<Routes> => ({
  async trash({ query }, { caller }) {
    const keys = await context.vault.keyring(caller.accountId)
    const after = query.cursor === undefined ? null : decodeCursor(query.cursor)
    const rows = await context.store.trash.list(caller.accountId, null, query.limit + 1, after)
    const page = cutPage(rows, query.limit, (row) => ({ time: row.deleted_at, id: row.item_id }))
    return { items: await presentTrash(context, keys, page.items), nextCursor: page.nextCursor }
  },

  async restoreTrash({ params }, { caller }) {
    await restore(context, await readItem(context, params.itemId, caller.accountId))
    return {}
  },

  async removeTrash({ params }, { caller }) {
    await purge(context, await readItem(context, params.itemId, caller.accountId))
    return {}
  },

  async emptyTrash(_input, { caller }) {
    let removed = 0
    for (;;) {
      const items = await context.store.trash.all(caller.accountId, 100)
      if (items.length === 0) return { removed }
      for (const item of items) if (await purge(context, item)) removed += 1
    }
  },
})

/** The deleted chats, folders or messages of accounts. */
export const chatTrash = (context: ChatContext, kind: TrashRow['kind']): Trash => {
  const find = async (accountId: string, id: string): Promise<TrashRow | null> => {
    const item = await context.store.trash.read(id, accountId)
    return item?.kind === kind ? item : null
  }
  return {
    async list(accountId, limit, after) {
      const keys = await context.vault.keyring(accountId)
      const items = await context.store.trash.list(accountId, kind, limit, after)
      const titles = await readTitles(context, keys, items)
      return items.map((item) => ({
        id: item.item_id,
        title: titles.get(item.item_id) ?? '',
        chatId: item.chat_id,
        deletedAt: item.deleted_at,
      }))
    },
    async restore(accountId, id) {
      const item = await find(accountId, id)
      if (item) await restore(context, item)
      return item !== null
    },
    async remove(accountId, id) {
      const item = await find(accountId, id)
      return item !== null && (await purge(context, item))
    },
    async removeExpired(before, signal) {
      while (!signal.aborted) {
        const items = await context.store.trash.expired(kind, before, 100)
        if (items.length === 0) return
        for (const item of items) await purge(context, item)
      }
    },
  }
}

/** Moves live chats to the trash, stops their answers, and tells the open pages. Gives the ids that were moved. */
export const trashChats = async (
  context: ChatContext,
  accountId: string,
  ids: readonly string[],
): Promise<string[]> => {
  if (ids.length === 0) return []
  const now = context.clock.now()
  const moved = await context.store.write((trx) => context.store.trash.trashChats(trx, accountId, ids, now, null))
  await afterTrashing(context, accountId, moved)
  return moved
}

/** What follows when chats were moved to the trash: their answers stop, and the open pages are told. */
export const afterTrashing = async (
  context: ChatContext,
  accountId: string,
  moved: readonly string[],
): Promise<void> => {
  if (moved.length === 0) return
  context.indexing.schedule(accountId)
  await withdrawAnswers(context, accountId, moved)
  await context.generations.cancelScopes(moved)
  const keys = await context.vault.keyring(accountId)
  for (const chat of await context.store.sessions.listWaiting(moved)) await denyWaiting(context, keys, chat)
  for (const id of moved) await context.announce(accountId, { type: 'chat-removed', data: { id } })
  await context.announce(accountId, { type: 'folders-changed', data: {} })
  await announceReach(context, await listReaders(context.access, await context.store.sessions.places(moved)))
}

/** Removes attachments that no message or draft came to hold, and chats that were begun for a question nobody asked. */
export const removeUnused = async (context: ChatContext, signal: AbortSignal): Promise<void> => {
  const before = context.clock.now() - trashKeptMs
  for (;;) {
    const drafts = signal.aborted ? [] : await context.store.sessions.draftsBefore(before, 100)
    if (drafts.length === 0) break
    for (const id of drafts) await removeChatForGood(context, id)
  }
  while (!signal.aborted) {
    const unused = await context.store.attachments.unused(before, 100)
    if (unused.length === 0) break
    const ids = unused.map((row) => row.id)
    await context.store.attachments.remove(ids)
    await context.files.remove(ids)
  }
}

/** Deletes a chat with all that hangs on it, and the attachments that no other chat uses. Gives whether a tag went with it. */
export const removeChatForGood = async (context: ChatContext, chatId: string): Promise<boolean> => {
  await context.generations.removeScope(chatId)
  await context.store.write(async (trx) => {
    await context.store.trash.dropOfChat(trx, chatId)
    await context.files.remove(await context.store.attachments.dropChat(trx, chatId), trx)
    await context.store.queue.removeDraft(trx, chatId)
  })
  // Before the chat itself: what is left behind by a crash can still be found by its chat.
  await context.documents.removeSessions([chatId])
  const chat = await context.store.transfers.readChat(chatId)
  if (chat) await context.tools?.removeChat(chat.account_id, chatId)
  return await context.store.write(async (trx) => {
    await context.texts.removeGroups([chatId], trx)
    await context.access.removeGrants('chat', [chatId], trx)
    await context.store.sessions.removeIn(trx, chatId)
    return chat !== null && (await context.store.tags.dropUnused(trx, chat.account_id))
  })
}

/** Deletes one thing in the trash for good; false when somebody else did it, or brought it back, meanwhile. */
const purge = async (context: ChatContext, item: TrashRow): Promise<boolean> => {
  const { store } = context
  if (item.kind === 'message') {
    return store.write(async (trx) => {
      if (!(await store.trash.take(trx, item.item_id))) return false
      const ids = await store.messages.trashedIn(trx, item.item_id)
      await context.files.remove(await store.attachments.dropHolders(trx, ids), trx)
      await context.texts.remove(messageEntries(ids), trx)
      await store.messages.removeIn(trx, ids)
      return true
    })
  }
  const taken = await store.write((trx) => store.trash.take(trx, item.item_id))
  if (!taken) return false
  if (item.kind === 'chat') {
    if (await removeChatForGood(context, item.item_id)) await announceTags(context, item.account_id)
    return true
  }
  let isTagGone = false
  for (const id of await store.trash.chatsTrashedWith(item.item_id))
    isTagGone = (await removeChatForGood(context, id)) || isTagGone
  if (isTagGone) await announceTags(context, item.account_id)
  await store.write(async (trx) => {
    await store.folders.emptyIn(trx, item.account_id, item.item_id)
    await context.access.removeGrants('folder', [item.item_id], trx)
    await store.folders.removeIn(trx, item.item_id)
  })
  return true
}

/** Refuses with `conflict` a message whose chat or predecessor is in the trash itself. */
const restore = async (context: ChatContext, item: TrashRow): Promise<void> => {
  if (item.kind === 'chat') await restoreChat(context, item)
  else if (item.kind === 'folder') await restoreFolder(context, item)
  else await restoreMessage(context, item)
}

const restoreChat = async (context: ChatContext, item: TrashRow): Promise<void> => {
  await context.store.write(async (trx) => {
    if (!(await context.store.trash.take(trx, item.item_id))) throw fail('trash_item_not_found')
    await context.store.trash.untrashChats(trx, item.item_id)
    await context.store.trash.leaveDeadFolder(trx, item.item_id)
  })
  context.announceChange(item.account_id, item.item_id)
  await context.announce(item.account_id, { type: 'folders-changed', data: {} })
  await announceTags(context, item.account_id)
  await announceReach(context, await listReaders(context.access, await context.store.sessions.places([item.item_id])))
}

const restoreFolder = async (context: ChatContext, item: TrashRow): Promise<void> => {
  const chats = await context.store.write(async (trx) => {
    if (!(await context.store.trash.take(trx, item.item_id))) throw fail('trash_item_not_found')
    await context.store.folders.updateIn(trx, item.item_id, { deleted_at: null })
    await context.store.folders.leaveDeadIn(trx, item.item_id)
    return context.store.trash.untrashChats(trx, item.item_id)
  })
  for (const id of chats) context.announceChange(item.account_id, id)
  await context.announce(item.account_id, { type: 'folders-changed', data: {} })
  await announceTags(context, item.account_id)
  await announceReach(context, await context.access.listReaders('folder', item.item_id))
  await announceReach(context, await listReaders(context.access, await context.store.sessions.places(chats)))
}

/** A message comes back where it stood; where nothing was written since, the path leads to it again. */
const restoreMessage = async (context: ChatContext, item: TrashRow): Promise<void> => {
  const chatId = item.chat_id ?? ''
  await context.store.write(async (trx) => {
    const { messages, sessions, trash } = context.store
    const chat = await sessions.readIn(trx, chatId, item.account_id)
    if (!chat) throw fail('conflict', 'This message’s chat is in the trash. Restore the chat first.')
    if (chat.running_generation_id !== null) throw fail('conflict', 'An answer is being written. Stop it first.')
    if (!(await trash.take(trx, item.item_id))) throw fail('trash_item_not_found')
    const row = await relinkRestored(context, trx, chat, item)
    const parent = row?.parent_id ? await messages.readIn(trx, chatId, row.parent_id) : null
    if (!row || (row.parent_id !== null && !parent)) {
      throw fail('conflict', 'The message before this one is in the trash. Restore it first.')
    }
    const isNext = row.parent_id === chat.active_leaf_id
    if (!isNext && item.relinked === null) return
    if (isNext) await activatePathTo(context.store, trx, chat, row)
    const leaf = isNext ? await messages.endOf(trx, chatId, row.id) : chat.active_leaf_id
    const summary_id = await messages.summaryOnPath(trx, chatId, leaf)
    await sessions.updateIn(trx, chatId, { active_leaf_id: leaf, summary_id })
  })
  context.announceChange(item.account_id, chatId)
}

const readItem = async (context: ChatContext, itemId: string, accountId: string): Promise<TrashRow> => {
  const item = await context.store.trash.read(itemId, accountId)
  if (!item) throw fail('trash_item_not_found')
  return item
}

/** What things in the trash are called, by their ids. */
const readTitles = async (
  context: ChatContext,
  keys: Keyring,
  items: readonly TrashRow[],
): Promise<ReadonlyMap<string, string>> => {
  const ids = (kind: TrashRow['kind']): string[] => items.flatMap((item) => (item.kind === kind ? item.item_id : []))
  const [chats, folders, messages] = await Promise.all([
    context.store.trash.chats(ids('chat')),
    context.store.trash.folders(ids('folder')),
    context.store.trash.messages(ids('message')),
  ])
  return new Map([
    ...chats.map((row) => [row.id, openTitle(keys, row)] as const),
    ...folders.map((row) => [row.id, openWords(keys, 'chat_folders.name', row.id, row.name)] as const),
    ...messages.map((row) => [row.id, firstWords(openContent(keys, row).text)] as const),
  ])
}

const presentTrash = async (context: ChatContext, keys: Keyring, items: readonly TrashRow[]): Promise<TrashItem[]> => {
  const titles = await readTitles(context, keys, items)
  return items.map((item) => ({
    id: item.item_id,
    kind: item.kind,
    title: titles.get(item.item_id) ?? '',
    chatId: item.chat_id,
    deletedAt: toIsoTime(item.deleted_at),
    expiresAt: toIsoTime(item.deleted_at + trashKeptMs),
  }))
}

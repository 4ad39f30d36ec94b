/** The trash: what was thrown away stays for thirty days, can be brought back, and is then deleted for good. */
import type { TrashItem, chat } from '@atrium/contract/chat'
import { openWords } from '../../platform/stored-json.ts'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Keyring } from '../../platform/vault/types.ts'
import type { Room } from './context.ts'
import { leadTo } from './messages/path.ts'
import { firstWords } from './rules.ts'
import { reachChanged, readersOf } from './sharing/resources.ts'
import { openContent, openTitle, time } from './stores/rows.ts'
import type { TrashRow } from './tables.ts'

type Routes = Pick<typeof chat, 'trash' | 'restoreTrash' | 'removeTrash' | 'emptyTrash'>

export const trashDays = 30
const keptMs = trashDays * 24 * 60 * 60_000

export const trashHandlers = (room: Room): Handlers<Routes> => ({
  async trash({ query }, { caller }) {
    const keys = await room.vault.keyring(caller.accountId)
    const page = await room.store.trash.page(caller.accountId, query.limit, query.cursor)
    return { items: await presentTrash(room, keys, page.items), nextCursor: page.nextCursor }
  },

  async restoreTrash({ params }, { caller }) {
    const item = await readItem(room, params.itemId, caller.accountId)
    if (item.kind === 'chat') await restoreChat(room, item)
    else if (item.kind === 'folder') await restoreFolder(room, item)
    else await restoreMessage(room, item)
    return {}
  },

  async removeTrash({ params }, { caller }) {
    await purge(room, await readItem(room, params.itemId, caller.accountId))
    return {}
  },

  async emptyTrash(_input, { caller }) {
    let removed = 0
    for (;;) {
      const items = await room.store.trash.all(caller.accountId, 100)
      if (items.length === 0) return { removed }
      for (const item of items) if (await purge(room, item)) removed += 1
    }
  },
})

/** Moves live chats to the trash, stops their answers, and tells the open pages. Gives the ids that were moved. */
export const trashChats = async (room: Room, accountId: string, ids: readonly string[]): Promise<string[]> => {
  if (ids.length === 0) return []
  const now = room.clock.now()
  const moved = await room.store.write((trx) => room.store.trash.trashChats(trx, accountId, ids, now, null))
  await afterTrashing(room, accountId, moved)
  return moved
}

/** What follows when chats were moved to the trash: their answers stop, and the open pages are told. */
export const afterTrashing = async (room: Room, accountId: string, moved: readonly string[]): Promise<void> => {
  if (moved.length === 0) return
  room.indexing.due(accountId)
  await room.generations.cancelScopes(moved)
  for (const id of moved) await room.tell(accountId, { type: 'chat-removed', data: { id } })
  await room.tell(accountId, { type: 'folders-changed', data: {} })
  await reachChanged(room, await readersOf(room.access, await room.store.sessions.places(moved)))
}

/** Deletes for good what has been in the trash for longer than it is kept. */
export const purgeExpired = async (room: Room, signal: AbortSignal): Promise<void> => {
  const before = room.clock.now() - keptMs
  while (!signal.aborted) {
    const items = await room.store.trash.expired(before, 100)
    if (items.length === 0) break
    for (const item of items) await purge(room, item)
  }
  while (!signal.aborted) {
    const unused = await room.store.attachments.unused(before, 100)
    if (unused.length === 0) break
    const ids = unused.map((row) => row.id)
    await room.store.attachments.remove(ids)
    await room.files.remove(ids)
  }
}

/** Deletes a chat with all that hangs on it. */
export const removeChatForGood = async (room: Room, chatId: string): Promise<void> => {
  await room.generations.removeScope(chatId)
  await room.store.write(async (trx) => {
    await room.store.trash.dropOfChat(trx, chatId)
    await room.store.attachments.dropChat(trx, chatId)
    await room.store.queue.removeDraft(trx, chatId)
  })
  // Before the chat itself: what is left behind by a crash can still be found by its chat.
  await room.documents.removeSessions([chatId])
  await room.store.write(async (trx) => {
    await room.texts.removeGroups([chatId], trx)
    await room.access.forget('chat', [chatId], trx)
    await room.store.sessions.removeIn(trx, chatId)
  })
}

/** Deletes one thing in the trash for good; false when somebody else did it, or brought it back, meanwhile. */
const purge = async (room: Room, item: TrashRow): Promise<boolean> => {
  const { store } = room
  if (item.kind === 'message') {
    return store.write(async (trx) => {
      if (!(await store.trash.take(trx, item.item_id))) return false
      const ids = await store.messages.trashedIn(trx, item.item_id)
      await store.attachments.dropHolders(trx, ids)
      await room.texts.remove(ids, trx)
      await store.messages.removeIn(trx, ids)
      return true
    })
  }
  const taken = await store.write((trx) => store.trash.take(trx, item.item_id))
  if (!taken) return false
  if (item.kind === 'chat') {
    await removeChatForGood(room, item.item_id)
    return true
  }
  for (const id of await store.trash.chatsTrashedWith(item.item_id)) await removeChatForGood(room, id)
  await store.write(async (trx) => {
    await store.folders.emptyIn(trx, item.account_id, item.item_id)
    await room.access.forget('folder', [item.item_id], trx)
    await store.folders.removeIn(trx, item.item_id)
  })
  return true
}

const restoreChat = async (room: Room, item: TrashRow): Promise<void> => {
  await room.store.write(async (trx) => {
    if (!(await room.store.trash.take(trx, item.item_id))) throw fail('trash_item_not_found')
    await room.store.trash.untrashChats(trx, item.item_id)
    await room.store.trash.leaveDeadFolder(trx, item.item_id)
  })
  room.changed(item.account_id, item.item_id)
  await room.tell(item.account_id, { type: 'folders-changed', data: {} })
  await reachChanged(room, await readersOf(room.access, await room.store.sessions.places([item.item_id])))
}

const restoreFolder = async (room: Room, item: TrashRow): Promise<void> => {
  const chats = await room.store.write(async (trx) => {
    if (!(await room.store.trash.take(trx, item.item_id))) throw fail('trash_item_not_found')
    await room.store.folders.updateIn(trx, item.item_id, { deleted_at: null })
    return room.store.trash.untrashChats(trx, item.item_id)
  })
  for (const id of chats) room.changed(item.account_id, id)
  await room.tell(item.account_id, { type: 'folders-changed', data: {} })
  await reachChanged(room, await room.access.readers('folder', item.item_id))
  await reachChanged(room, await readersOf(room.access, await room.store.sessions.places(chats)))
}

/** A message comes back where it stood; where nothing was written since, the path leads to it again. */
const restoreMessage = async (room: Room, item: TrashRow): Promise<void> => {
  const chatId = item.chat_id ?? ''
  await room.store.write(async (trx) => {
    const { messages, sessions, trash } = room.store
    const chat = await sessions.readIn(trx, chatId, item.account_id)
    if (!chat) throw fail('conflict', 'The chat of this message is in the trash itself. Restore the chat first.')
    if (chat.running_generation_id !== null) throw fail('conflict', 'An answer is being written. Stop it first.')
    if (!(await trash.take(trx, item.item_id))) throw fail('trash_item_not_found')
    await messages.untrash(trx, item.item_id)
    const row = await messages.readIn(trx, chatId, item.item_id)
    const parent = row?.parent_id ? await messages.readIn(trx, chatId, row.parent_id) : null
    if (!row || (row.parent_id !== null && !parent)) {
      throw fail('conflict', 'The message before this one is in the trash. Restore that one first.')
    }
    if (row.parent_id !== chat.active_leaf_id) return
    await leadTo(room.store, trx, chat, row)
    const leaf = await messages.endOf(trx, chatId, row.id)
    const summary_id = await messages.summaryOnPath(trx, chatId, leaf)
    await sessions.updateIn(trx, chatId, { active_leaf_id: leaf, summary_id })
  })
  room.changed(item.account_id, chatId)
}

const readItem = async (room: Room, itemId: string, accountId: string): Promise<TrashRow> => {
  const item = await room.store.trash.read(itemId, accountId)
  if (!item) throw fail('trash_item_not_found')
  return item
}

const presentTrash = async (room: Room, keys: Keyring, items: readonly TrashRow[]): Promise<TrashItem[]> => {
  const ids = (kind: TrashRow['kind']): string[] => items.flatMap((item) => (item.kind === kind ? item.item_id : []))
  const [chats, folders, messages] = await Promise.all([
    room.store.trash.chats(ids('chat')),
    room.store.trash.folders(ids('folder')),
    room.store.trash.messages(ids('message')),
  ])
  const titles = new Map([
    ...chats.map((row) => [row.id, openTitle(keys, row)] as const),
    ...folders.map((row) => [row.id, openWords(keys, 'chat_folders.name', row.id, row.name)] as const),
    ...messages.map((row) => [row.id, firstWords(openContent(keys, row).text)] as const),
  ])
  return items.map((item) => ({
    id: item.item_id,
    kind: item.kind,
    title: titles.get(item.item_id) ?? '',
    chatId: item.chat_id,
    deletedAt: time(item.deleted_at),
    expiresAt: time(item.deleted_at + keptMs),
  }))
}

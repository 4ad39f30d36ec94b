/**
 * How chats and projects get another owner, as their readers see them: a chat is copied under a hidden id, with the keys
 * of the new owner, and the copy takes its place in one short transaction. What was its owner’s alone — other branches,
 * calls of tools, settings, drafts, links, instructions — ends there or stays with the former owner.
 */
import type { Transaction } from 'kysely'
import type { PreparedTransfer, Transferable, TransferSides } from '../../core/resources/index.ts'
import { inTables } from '../../platform/db/types.ts'
import { fail } from '../../platform/http/refusal.ts'
import { openWords } from '../../platform/stored-json.ts'
import type { ChatContext } from './context.ts'
import { maxFolders } from './folders.ts'
import { copyPath } from './sessions/copy-messages.ts'
import { openTitle, sealTitle } from './stores/rows.ts'
import { initialState, type NewSessionRow } from './stores/sessions.ts'
import type { ChatTables, SessionRow } from './tables.ts'
import { removeChatForGood } from './trash.ts'

type Trx = Transaction<ChatTables>

interface PreparedChat {
  readonly id: string
  commit(trx: Trx, folderId: string | null): Promise<void>
  readonly discard: () => Promise<void>
}

export const chatTransfer = (context: ChatContext): Transferable['transfer'] => ({
  bytes: (id) => context.store.transfers.attachmentBytes([id]),
  async prepare(id, sides) {
    const chat = await prepareChat(context, id, sides)
    return {
      async commit(trx) {
        await chat.commit(inTables<ChatTables>(trx), null)
        return [{ type: 'chat', id }]
      },
      async done() {
        await context.announce(sides.fromId, { type: 'chat-removed', data: { id } })
        context.announceChange(sides.toId, id)
      },
      discard: chat.discard,
    }
  },
  // The copy is sealed with nothing but the new key.
  finish: null,
})

export const folderTransfer = (context: ChatContext): Transferable['transfer'] => ({
  async bytes(id) {
    const { transfers } = context.store
    const chats = await transfers.chatsIn(id)
    return await transfers.attachmentBytes(chats.map((chat) => chat.id))
  },
  prepare: (id, sides) => prepareFolder(context, id, sides),
  finish: null,
})

const prepareFolder = async (context: ChatContext, id: string, sides: TransferSides): Promise<PreparedTransfer> => {
  const { transfers } = context.store
  const chats: PreparedChat[] = []
  const discard = async () => {
    for (const chat of chats) await chat.discard()
  }
  try {
    for (const chat of await transfers.chatsIn(id)) chats.push(await prepareChat(context, chat.id, sides))
  } catch (error) {
    await discard()
    throw error
  }
  return {
    async commit(given) {
      const trx = inTables<ChatTables>(given)
      const folder = await transfers.readFolder(id, trx)
      if (folder?.account_id !== sides.fromId || folder.deleted_at !== null) throw fail('conflict')
      const inIt = (await transfers.chatsIn(id, trx)).map((chat) => chat.id)
      if (inIt.join() !== chats.map((chat) => chat.id).join()) throw fail('conflict')
      if ((await transfers.countFolders(trx, sides.toId)) >= maxFolders) throw fail('folder_limit')
      for (const chat of chats) await chat.commit(trx, id)
      const name = openWords(sides.from, 'chat_folders.name', id, folder.name)
      await transfers.moveFolder(trx, folder, {
        account_id: sides.toId,
        name: sides.to.seal('chat_folders.name', id, name),
      })
      return [{ type: 'folder' as const, id }, ...inIt.map((chatId) => ({ type: 'chat' as const, id: chatId }))]
    },
    async done() {
      for (const chat of chats) {
        await context.announce(sides.fromId, { type: 'chat-removed', data: { id: chat.id } })
        context.announceChange(sides.toId, chat.id)
      }
      for (const accountId of [sides.fromId, sides.toId])
        await context.announce(accountId, { type: 'folders-changed', data: {} })
    },
    discard,
  }
}

const prepareChat = async (context: ChatContext, id: string, sides: TransferSides): Promise<PreparedChat> => {
  const { store } = context
  const chat = await store.transfers.readChat(id)
  if (!chat || !isAtRest(chat, sides.fromId)) throw fail('conflict')
  const copyId = context.clock.id()
  const discard = async (): Promise<void> => {
    await removeChatForGood(context, copyId)
  }
  // Of now: what is old and never became ready is swept away.
  await store.sessions.insert({ ...rowOf(chat, copyId, sides), created_at: context.clock.now() })
  try {
    const { leaf, summary } = await copyPath(context, sides, chat, copyOf(chat, copyId, sides), chat.active_leaf_id)
    return {
      id,
      async commit(trx, folderId) {
        const [now, copy] = [await store.transfers.readChat(id, trx), await store.transfers.readChat(copyId, trx)]
        if (!now || !copy || !isAtRest(now, sides.fromId) || !isSame(now, chat)) throw fail('conflict')
        await store.trash.dropOfChat(trx, id)
        await context.files.remove(await store.attachments.dropChat(trx, id), trx)
        await store.queue.removeDraft(trx, id)
        await context.texts.removeGroups([id], trx)
        const row = {
          ...rowOf(now, id, sides),
          folder_id: folderId,
          active_leaf_id: leaf,
          summary_id: summary,
          ready: 1,
        }
        await store.transfers.replaceChat(trx, row, copyId)
        await store.tags.dropUnused(trx, sides.fromId)
      },
      discard,
    }
  } catch (error) {
    await discard()
    throw error
  }
}

/** Nothing is written in it just now, and nobody is waited for. */
const isAtRest = (chat: SessionRow, ownerId: string): boolean =>
  chat.account_id === ownerId &&
  chat.deleted_at === null &&
  chat.ready === 1 &&
  chat.expires_at === null &&
  chat.running_generation_id === null &&
  chat.needs_answer === 0

const isSame = (one: SessionRow, other: SessionRow): boolean =>
  one.updated_at === other.updated_at && one.active_leaf_id === other.active_leaf_id && one.version === other.version

const copyOf = (chat: SessionRow, id: string, sides: TransferSides) => ({
  id,
  account_id: sides.toId,
  created_at: chat.created_at,
})

const rowOf = (chat: SessionRow, id: string, sides: TransferSides): NewSessionRow => ({
  ...copyOf(chat, id, sides),
  title: sealTitle(sides.to, id, openTitle(sides.from, chat)),
  title_source: chat.title_source,
  selection: chat.selection,
  settings: null,
  forked_from: null,
  folder_id: null,
  ...initialState,
  ready: 0,
  expires_at: null,
  digest: null,
  updated_at: chat.updated_at,
  deleted_at: null,
  trash_id: null,
})

/** Changes to messages that stand: edited, rated, another branch, moved to the trash; and summaries. */
import { chatRoutes as routes, type Chat, type ChatSettings, type Message } from '@atrium/contract/chat'
import { call } from '../../../api/client.ts'
import { refresh } from '../../../api/query.ts'
import { runInTurn, savesOfChat } from '../../../api/saves.ts'
import { createConversation, dropMessages, markPinned, mergeReloaded, replaceMessage } from './conversation.ts'
import { followRunning } from './follow.ts'
import {
  changeConversation,
  ensureCreated,
  goToMessage,
  isOnPath,
  loadChat,
  type OpenChat,
  outdateReads,
  readAround,
  showPage,
} from './store.ts'

/** Replaces the text of a message, and of its thinking where given. */
export async function rewriteMessage(
  chat: OpenChat,
  message: Message,
  content: string,
  reasoning?: string,
): Promise<void> {
  const params = { sessionId: chat.id, messageId: message.id }
  const body = reasoning === undefined ? { content } : { content, reasoning: reasoning || null }
  const stored = await call(routes.updateMessage, { params, body })
  outdateReads(chat)
  changeConversation(chat, (now) => replaceMessage(now, stored))
}

/** Rates an answer; on screen at once, taken back when the server refuses. */
export async function rateMessage(chat: OpenChat, message: Message, rating: 1 | -1 | null): Promise<void> {
  outdateReads(chat)
  changeConversation(chat, (now) => replaceMessage(now, { ...message, rating }))
  try {
    const params = { sessionId: chat.id, messageId: message.id }
    const stored = await call(routes.updateMessage, { params, body: { rating } })
    outdateReads(chat)
    changeConversation(chat, (now) => replaceMessage(now, stored))
  } catch (error) {
    changeConversation(chat, (now) => replaceMessage(now, message))
    throw error
  }
}

/** Pins a message, or unpins it; on screen at once, taken back when the server refuses. */
export async function pinMessage(chat: OpenChat, messageId: string, pinned: boolean): Promise<void> {
  const show = (is: boolean) => {
    outdateReads(chat)
    changeConversation(chat, (now) => markPinned(now, messageId, is))
  }
  show(pinned)
  try {
    await call(routes.updateMessage, { params: { sessionId: chat.id, messageId }, body: { pinned } })
    outdateReads(chat)
  } catch (error) {
    show(!pinned)
    throw error
  }
}

/** Names the branch that begins with a message; null: it has no name any more. */
export async function nameBranch(chat: OpenChat, messageId: string, branchName: string | null): Promise<void> {
  const params = { sessionId: chat.id, messageId }
  const stored = await call(routes.updateMessage, { params, body: { branchName } })
  outdateReads(chat)
  changeConversation(chat, (now) => replaceMessage(now, stored))
  void refresh(routes.branchMap)
}

/**
 * Shows a message in whichever branch it is, and makes that branch the active one where it is not, as what is asked next
 * goes there. Where that is refused, the page stays as it was. False when there is no such message.
 */
export async function showMessage(chat: OpenChat, messageId: string): Promise<boolean> {
  if (!isOnPath(chat, messageId)) {
    const page = await readAround(chat, messageId)
    if (!page) return false
    if (!page.active) take(chat, await call(routes.branch, { params: { sessionId: chat.id, messageId }, body: {} }))
    if (!isOnPath(chat, messageId)) await showPage(chat, page)
  }
  chat.store.setState({ target: { messageId } })
  return true
}

/** Shows another sibling of a message, with what was last said below it. */
export async function showSibling(chat: OpenChat, message: Message, index: number): Promise<void> {
  const params = { sessionId: chat.id, messageId: message.id }
  take(chat, await call(routes.branch, { params, body: { branchIndex: index } }))
}

/** Moves a message and all that follows to the trash. Gives the way to bring them back. */
export async function truncateAt(chat: OpenChat, message: Message): Promise<() => Promise<void>> {
  take(chat, await call(routes.truncate, { params: { sessionId: chat.id, messageId: message.id } }))
  return async () => {
    const { items } = await call(routes.trash, { query: { limit: 50 } })
    const item = items.find(
      (other) => other.kind === 'message' && (other.id === message.id || other.chatId === chat.id),
    )
    if (item) await call(routes.restoreTrash, { params: { itemId: item.id } })
    await loadChat(chat)
    // Where a sibling took its place meanwhile, the path has to be led back.
    const back = chat.store.getState().conversation?.messages.some((m) => m.id === message.id)
    if (item && !back) await showSibling(chat, message, message.siblingIndex)
    followRunning(chat)
  }
}

/** Moves one message to the trash, a question with its answers where asked for. Gives the way to bring it back. */
export async function removeMessage(
  chat: OpenChat,
  message: Message,
  withAnswers: boolean,
): Promise<() => Promise<void>> {
  const params = { sessionId: chat.id, messageId: message.id }
  const read = await call(routes.removeMessage, { params, query: withAnswers ? { with: 'answers' } : {} })
  outdateReads(chat)
  chat.store.setState({ followUps: [] })
  changeConversation(chat, (now) => {
    const at = now.messages.findIndex((m) => m.id === message.id)
    const answer = withAnswers ? now.messages.slice(at + 1).find((m) => m.parentId === message.id) : undefined
    return mergeReloaded(dropMessages(now, new Set([message.id, answer?.id ?? ''])), read, Date.now())
  })
  void refresh(routes.context, { params: { sessionId: chat.id } })
  return async () => {
    await call(routes.restoreTrash, { params: { itemId: message.id } })
    outdateReads(chat)
    const back = await call(routes.read, { params: { sessionId: chat.id } })
    chat.store.setState({ conversation: createConversation(back, Date.now()) })
    // Where a sibling took its place meanwhile, the path has to be led back.
    const isThere = back.messages.items.some((m) => m.id === message.id)
    if (!isThere && message.siblingCount > 1) await showSibling(chat, message, message.siblingIndex)
    await goToMessage(chat, message.id)
    followRunning(chat)
  }
}

/** Summarises the older part of the chat. */
export async function compactChat(chat: OpenChat): Promise<void> {
  take(chat, await call(routes.compact, { params: { sessionId: chat.id } }))
}

/** Takes a summary back: what it stood for is sent again. */
export async function undoSummary(chat: OpenChat, summaryId: string): Promise<void> {
  take(chat, await call(routes.restore, { params: { sessionId: chat.id, messageId: summaryId } }))
}

/**
 * Changes the chat's own settings: on screen at once, then on the server, one after the other. They are sent whole, so
 * each change is made to how they stand now: the pane and the composer both change them, and none undoes the other.
 */
export async function saveSettings(chat: OpenChat, edit: (now: ChatSettings) => ChatSettings): Promise<void> {
  const settingsNow = () => chat.store.getState().conversation?.head.settings
  const show = (settings: ChatSettings) =>
    changeConversation(chat, (now) => ({ ...now, head: { ...now.head, settings } }))
  const before = settingsNow()
  if (!before) return
  const settings = edit(before)
  outdateReads(chat)
  show(settings)
  try {
    await runInTurn(savesOfChat(chat.id), async () => {
      await ensureCreated(chat)
      await call(routes.update, { params: { sessionId: chat.id }, body: { settings } })
      outdateReads(chat)
    })
    void refresh(routes.context, { params: { sessionId: chat.id } })
  } catch (error) {
    // Where something was changed since, what stands there now is on its way to the server.
    if (settingsNow() === settings) show(before)
    throw error
  }
}

/** The path may be another one now: what the server says replaces what is on screen. */
function take(chat: OpenChat, read: Chat): void {
  outdateReads(chat)
  chat.store.setState({ followUps: [] })
  changeConversation(chat, (now) => mergeReloaded({ ...now, later: false }, read, Date.now()))
  void refresh(routes.context, { params: { sessionId: chat.id } })
  followRunning(chat)
}

/** The chats that are open or were lately: their state, and how it is loaded. */
import { type Chat, chatRoutes as routes, type Draft, type Message } from '@atrium/contract/chat'
import type { Answer } from '@atrium/contract/route'
import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { Problem } from '../../../api/errors.ts'
import { call } from '../../../api/client.ts'
import {
  type Conversation,
  appendPage,
  prependPage,
  replacePage,
  createConversation,
  mergeReloaded,
} from './conversation.ts'

export interface OpenState {
  /** Null until it was loaded. */
  readonly conversation: Conversation | null
  /** Why it could not be loaded. */
  readonly problem: unknown
  /** What the server last knew of the draft; null until it was loaded. */
  readonly draft: Draft | null
  readonly loading: 'earlier' | 'later' | null
  /** The connection to the running answer is gone for more than three seconds, or there is no network to ask it over. */
  readonly lost: boolean
  readonly followUps: readonly string[]
  /** A message to scroll to and flash; a new object each time it is asked for. */
  readonly target: {
    readonly messageId: string
    /** How far below the top of the message the view should stand, in px; without it the message is flashed. */
    readonly within?: (() => number) | undefined
  } | null
  /** Counts up when the view should go to the last question. */
  readonly asks: number
}

export interface OpenChat {
  readonly id: string
  readonly store: StoreApi<OpenState>
  /** Set while a running answer is followed. */
  following: { generationId: string; abort: AbortController } | null
  /** How many components show it. */
  users: number
  /** Makes it on the server, where it is not there yet and nothing has begun to make it. */
  create: (() => Promise<void>) | null
  /** It is being made on the server just now; until then nothing else may be asked about it. */
  creating: Promise<unknown> | null
  /** Its box gets the focus when it comes on screen: the person was writing when it began, or opened it to write. */
  takesFocus: boolean
  /** The first loading, while it runs. */
  opening: Promise<void> | null
  /** The number of the last read that began, and of what the newest thing on screen is from: older reads are outdated. */
  begun: number
  shown: number
}

const kept = 8
const chats = new Map<string, OpenChat>()

const empty: OpenState = {
  conversation: null,
  problem: null,
  draft: null,
  loading: null,
  lost: false,
  followUps: [],
  target: null,
  asks: 0,
}

/** The open chat of this id; the least lately used ones beyond eight are forgotten. */
export function openChat(id: string): OpenChat {
  const known = chats.get(id)
  const chat: OpenChat = known ?? {
    id,
    store: createStore<OpenState>(() => empty),
    following: null,
    users: 0,
    create: null,
    creating: null,
    takesFocus: false,
    opening: null,
    begun: 0,
    shown: 0,
  }
  if (!known) watch(chat)
  chats.delete(id)
  chats.set(id, chat)
  for (const [other, { users }] of chats) if (chats.size > kept && users === 0) forgetChats(other)
  return chat
}

/** Whether the server can be asked about a chat. */
export const isCreated = (chat: OpenChat): boolean => chat.create === null && chat.creating === null

/** Waits until a chat is on the server, and has it made there where nothing did yet. */
export async function ensureCreated(chat: OpenChat): Promise<void> {
  await (chat.create ? chat.create() : chat.creating)
}

/** The chat if it was opened before. */
export const knownChat = (id: string): OpenChat | undefined => chats.get(id)

/** The chats that are on screen. */
export const chatsOnScreen = (): OpenChat[] => [...chats.values()].filter(({ users }) => users > 0)

/** Forgets one chat, or all when the account changes. */
export function forgetChats(id?: string): void {
  for (const [key, chat] of chats) {
    if (id !== undefined && key !== id) continue
    chat.following?.abort.abort()
    chats.delete(key)
  }
}

let settledHandler: (chat: OpenChat, answer: Message) => void = () => undefined

/** What is due when an answer stands, by whichever way this page learnt of it: its stream, Stop, or loading again. */
export function whenSettled(handler: typeof settledHandler): void {
  settledHandler = handler
}

function watch(chat: OpenChat): void {
  chat.store.subscribe((now, before) => {
    const live = before.conversation?.live
    if (!live || now.conversation?.live?.messageId === live.messageId) return
    const answer = now.conversation?.messages.find((m) => m.id === live.messageId)
    if (answer && answer.status !== 'running') settledHandler(chat, answer)
  })
}

/** A part of the state, read by a component. */
export const useOpen = <T>(chat: OpenChat, select: (state: OpenState) => T): T => useStore(chat.store, select)

/** Changes the conversation, if it is loaded. */
export function changeConversation(chat: OpenChat, step: (now: Conversation) => Conversation): void {
  const { conversation } = chat.store.getState()
  if (!conversation) return
  const next = step(conversation)
  if (next !== conversation) chat.store.setState({ conversation: next })
}

/** The conversation; throws where it must be loaded and is not. */
export function conversationOf(chat: OpenChat): Conversation {
  const { conversation } = chat.store.getState()
  if (!conversation) throw new Error('the chat is not loaded')
  return conversation
}

/** Loads the chat, or what changed of it. Errors end up in the state. */
export function loadChat(chat: OpenChat): Promise<void> {
  if (chat.store.getState().conversation) return read(chat)
  chat.opening ??= read(chat).finally(() => {
    chat.opening = null
  })
  return chat.opening
}

/** Loads what changed of the chat, and not by a first loading that is on its way: that may have been read before. */
export async function reloadChat(chat: OpenChat): Promise<void> {
  await chat.opening
  await loadChat(chat)
}

/**
 * What is being read of a chat may be older than what was just done to it, or was just answered: it is read once more
 * before it is shown.
 */
export function outdateReads(chat: OpenChat | undefined): void {
  if (chat) chat.shown = ++chat.begun
}

/** Reads the chat as it stands after all that is on screen. */
async function readNewest(chat: OpenChat): Promise<Chat> {
  for (;;) {
    const mine = ++chat.begun
    const found = await call(routes.read, { params: { sessionId: chat.id } })
    if (mine < chat.shown) continue
    chat.shown = mine
    return found
  }
}

async function read(chat: OpenChat): Promise<void> {
  if (chat.create) return
  await chat.creating
  try {
    const found = await readNewest(chat)
    chat.store.setState(({ conversation }) => ({
      conversation: conversation
        ? mergeReloaded(conversation, found, Date.now())
        : createConversation(found, Date.now()),
      draft: found.draft,
      problem: null,
    }))
  } catch (error) {
    // While something is on screen, a passing failure is no reason to take it away.
    const gone = error instanceof Problem && error.code === 'chat_not_found'
    if (gone || !chat.store.getState().conversation) chat.store.setState({ problem: error })
  }
}

/** Loads the page before the first message. */
export async function loadEarlier(chat: OpenChat): Promise<void> {
  const { conversation, loading } = chat.store.getState()
  const cursor = conversation?.earlier
  if (!cursor || loading) return
  chat.store.setState({ loading: 'earlier' })
  try {
    const page = await call(routes.messages, { params: { sessionId: chat.id }, query: { cursor, limit: 50 } })
    changeConversation(chat, (now) => (now.earlier === cursor ? prependPage(now, page.items, page.nextCursor) : now))
  } catch (error) {
    if (error instanceof Problem && error.code === 'bad_cursor') await loadChat(chat)
  } finally {
    chat.store.setState({ loading: null })
  }
}

/** Loads the page after the last message, where the chat was opened at an older one. */
export async function loadLater(chat: OpenChat): Promise<void> {
  const { conversation, loading } = chat.store.getState()
  const last = conversation?.messages.at(-1)
  if (!conversation?.later || !last || loading) return
  chat.store.setState({ loading: 'later' })
  try {
    const page = await call(routes.newer, { params: { sessionId: chat.id, messageId: last.id }, query: { limit: 50 } })
    changeConversation(chat, (now) => appendPage(now, page.items, page.nextCursor !== null, Date.now()))
    await leaveOldBranch(chat)
  } finally {
    chat.store.setState({ loading: null })
  }
}

/** Loads the active path where what is on screen ends elsewhere: in a branch that was left on another page. */
async function leaveOldBranch(chat: OpenChat): Promise<void> {
  const { head, later, messages } = conversationOf(chat)
  const last = messages.findLast(({ role }) => role !== 'summary')
  if (!later && last?.id !== head.activeLeafId) await openNewest(chat)
}

/**
 * Shows one message of the active path, or a place `within` it, loading the part around it where needed. Nothing changes
 * when there is no such message.
 */
export async function goToMessage(chat: OpenChat, messageId: string, within?: () => number): Promise<void> {
  if (!chat.store.getState().conversation?.messages.some(({ id }) => id === messageId)) {
    const page = await readAround(chat, messageId)
    if (!page) return
    await showPage(chat, page)
  }
  chat.store.setState({ target: { messageId, within } })
}

/** Whether a message is on screen, in the branch that is the active one. */
export function isOnPath(chat: OpenChat, messageId: string): boolean {
  const { conversation } = chat.store.getState()
  // What was opened at an older message may be in a branch that was left elsewhere.
  return conversation?.later === false && conversation.messages.some(({ id }) => id === messageId)
}

/** The part of its branch around a message; null when there is no such message. */
export async function readAround(chat: OpenChat, messageId: string): Promise<Answer<typeof routes.messages> | null> {
  if (!chat.store.getState().conversation) await loadChat(chat)
  try {
    return await call(routes.messages, { params: { sessionId: chat.id }, query: { around: messageId, limit: 50 } })
  } catch (error) {
    if (error instanceof Problem && error.code === 'message_not_found') return null
    throw error
  }
}

/** Shows a part of a branch in the place of what is on screen. */
export async function showPage(chat: OpenChat, page: Answer<typeof routes.messages>): Promise<void> {
  changeConversation(chat, (now) =>
    replacePage(now, page.items, page.nextCursor, page.previousCursor !== null, Date.now()),
  )
  await leaveOldBranch(chat)
}

/** Goes back to the end of the path after the chat was opened at an older message. */
export async function goToEnd(chat: OpenChat): Promise<void> {
  if (chat.store.getState().conversation?.later) await openNewest(chat)
}

async function openNewest(chat: OpenChat): Promise<void> {
  const read = await readNewest(chat)
  chat.store.setState({ conversation: createConversation(read, Date.now()) })
}

/**
 * The chat of the start page, before its first question. It is on this page at once, on the server when a document or a
 * setting needs it there, and in lists when something was asked.
 */
import { chatRoutes as routes, type ChatSummary } from '@atrium/contract/chat'
import type { Document } from '@atrium/contract/documents'
import { useSyncExternalStore } from 'react'
import { call } from '../../../api/client.ts'
import { keyOf, queryClient } from '../../../api/query.ts'
import { chatDocumentsQuery } from '../../../blocks/chat-documents/chat-documents-query.ts'
import { type DraftBox, draftOf } from '../../../blocks/composer/draft.ts'
import { emptyDraft } from '../../../blocks/composer/draft-rules.ts'
import { newId } from '../../../lib/id.ts'
import { summaryOf } from '../list/cache.ts'
import { createConversation } from './conversation.ts'
import { createEmptyChat } from './empty-chat.ts'
import {
  changeConversation,
  ensureCreated,
  forgetChats,
  knownChat,
  loadChat,
  type OpenChat,
  openChat,
} from './store.ts'

let current: OpenChat | null = null
const listeners = new Set<() => void>()
/** Chats that began here: the server may still call one of them a draft. */
const begun = new Set<string>()

/** The chat that the next new question begins. */
export function draftChat(): OpenChat {
  if (current && knownChat(current.id) === current) return current
  const chat = openChat(newId())
  const empty = createEmptyChat({
    id: chat.id,
    title: '',
    selection: null,
    folderId: null,
    expiresAt: null,
    now: new Date().toISOString(),
  })
  chat.store.setState({ conversation: createConversation(empty, Date.now()), draft: emptyDraft })
  chat.create = () => createDraft(chat, {}).then(() => undefined)
  keepInUse(chat)
  return chat
}

/** The same, for components. */
export const useDraftChat = (): OpenChat => useSyncExternalStore(subscribe, draftChat)

/** Whether nothing was asked in a chat yet: it is the one of the start page. */
export const isDraftChat = (chat: OpenChat): boolean => chat === current

/** What is typed and attached in a chat, or on the start page. */
export const draftOfChat = (accountId: string, chat: OpenChat): DraftBox =>
  draftOf(accountId, isDraftChat(chat) ? null : chat.id)

/**
 * Goes on with the draft that the server knows, unless there is one on this page already. Gives the documents that wait
 * in it; null when the page's own stays.
 */
export async function adoptDraftChat(sessionId: string | null): Promise<readonly Document[] | null> {
  const mine = draftChat()
  const isUntouched = () => mine.create !== null && current === mine
  if (!isUntouched() || (sessionId !== null && begun.has(sessionId))) return null
  if (sessionId === null) return []
  const theirs = openChat(sessionId)
  const [{ items }] = await Promise.all([queryClient.fetchQuery(chatDocumentsQuery(sessionId)), loadChat(theirs)])
  const conversation = theirs.store.getState().conversation
  if (!isUntouched() || !conversation || conversation.messages.length > 0) return null
  setCurrent(theirs)
  forgetChats(mine.id)
  return items
}

/** Puts a new draft in the place of one that is asked something now. */
export function releaseDraftChat(chat: OpenChat): void {
  begun.add(chat.id)
  queryClient.setQueryData(keyOf(routes.newDraft), { ...emptyDraft, sessionId: null })
  if (chat === current) setCurrent(null)
}

/** It could not be asked: what it has waits for the next try. */
export function takeBackDraftChat(chat: OpenChat): void {
  begun.delete(chat.id)
  // What never came to be on the server has nothing to keep, and its id may be in use there.
  if (chat.create) forgetChats(chat.id)
  else if (!current || current.create) setCurrent(chat)
}

/** Makes the chat of a first question on the server, or gives the one that is there what it begins with. */
export async function createChat(chat: OpenChat, given: Beginning): Promise<ChatSummary> {
  if (chat.create) return createDraft(chat, given)
  await ensureCreated(chat)
  return call(routes.update, { params: { sessionId: chat.id }, body: given })
}

type Beginning = Partial<Pick<ChatSummary, 'selection' | 'folderId'>> & { readonly temporary?: true }

async function createDraft(chat: OpenChat, given: Beginning): Promise<ChatSummary> {
  const { create } = chat
  chat.create = null
  const creating = call(routes.create, { body: { id: chat.id, draft: true, ...given } })
  chat.creating = creating
  try {
    return summaryOf(await creating)
  } catch (error) {
    chat.create = create
    throw error
  } finally {
    if (chat.creating === creating) chat.creating = null
    // Whoever shows it may ask the server about it from now on.
    changeConversation(chat, (now) => ({ ...now }))
  }
}

/** A chat in use is not forgotten for others that are opened meanwhile. */
function keepInUse(chat: OpenChat | null): void {
  if (current) current.users--
  if (chat) chat.users++
  current = chat
}

function setCurrent(chat: OpenChat | null): void {
  keepInUse(chat)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

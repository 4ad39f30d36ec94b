/** Asking: new questions, the same again, another try, going on, stopping. */
import {
  type Attachment,
  chatRoutes as routes,
  type GenerateBody,
  type MakeWish,
  type Making,
  type Message,
  type Quote,
  type SentDocument,
  type SentQuote,
} from '@atrium/contract/chat'
import type { Selection } from '@atrium/contract/common'
import type { ToolChoice } from '@atrium/contract/generation'
import { call } from '../../../api/client.ts'
import { Problem } from '../../../api/errors.ts'
import { savesDone, savesOfChat } from '../../../api/saves.ts'
import { toSentQuotes, withQuotes } from '../../../blocks/composer/quotes.ts'
import { announce } from '../../../lib/announce.ts'
import { consumeForced, forceTools } from '../compose/tools/forced-tools.ts'
import { consumeWebMode } from '../compose/web-mode.ts'
import { translate } from 'virtual:words/chat-list'
import {
  confirmQuestion,
  addQuestion,
  finishAnswer,
  type Conversation,
  revertQuestion,
  markStopping,
} from './conversation.ts'
import { followRunning } from './follow.ts'
import { createAnswer, withSibling, createQuestion } from './message.ts'
import { changeConversation, conversationOf, goToEnd, loadChat, type OpenChat, outdateReads } from './store.ts'
import { dropUnsent, keepUnsent, onNetworkBack } from './unsent.ts'

export interface QuestionInput {
  readonly content: string
  /** Stand before the text. */
  readonly quotes?: readonly Quote[] | undefined
  /** Of a prompt that waited: what is quoted in its text. */
  readonly quoted?: readonly SentQuote[]
  readonly attachments: readonly Attachment[]
  /** Documents of the chat that come with it. */
  readonly documents?: readonly SentDocument[]
  /** Look on the web, too; without it the globe of the chat decides. */
  readonly webSearch?: boolean
  /** Which tools the answer may use; without it the chat decides, and what was forced for the next question. */
  readonly tools?: ToolChoice | null | undefined
  /** What is made instead of an answer. */
  readonly make?: MakeWish | null | undefined
}

export interface RegenerateOptions {
  readonly instruction?: string
  readonly model?: Selection
  readonly webSearch?: boolean
  /** Send whole documents instead of passages, as far as they fit. */
  readonly wholeDocuments?: boolean
}

/** Asks a question at the end of the chat. Throws, with the screen as it was before, when the server refuses it. */
export async function askQuestion(chat: OpenChat, input: QuestionInput): Promise<void> {
  await goToEnd(chat)
  const now = conversationOf(chat)
  const parent = now.messages.at(-1) ?? null
  const content = withQuotes(input.content, input.quotes)
  const quotes = input.quoted ?? toSentQuotes(input.quotes)
  const asking = createQuestion(parent, content, input.attachments, Date.now(), undefined, input.documents, quotes)
  const { make } = input
  const answering = make ? createMade(asking, make) : createAnswer(asking, now.head.selection, Date.now())
  const attachmentIds = input.attachments.map((attachment) => attachment.id)
  const question = { message: content, attachmentIds, ...(quotes.length > 0 && { quotes: [...quotes] }) }
  if (make) {
    const ids = { userMessageId: asking.id, assistantMessageId: answering.id }
    return start(chat, asking, answering, parent?.id ?? null, { ...question, ...ids, make })
  }
  await start(chat, asking, answering, parent?.id ?? null, {
    ...question,
    documentIds: input.documents?.map((document) => document.id),
    userMessageId: asking.id,
    assistantMessageId: answering.id,
    webSearch: input.webSearch ?? (await consumeWebMode(chat.id)),
    tools: input.tools ?? consumeForced(chat.id, now.head.settings.tools),
  })
}

/** Asks an earlier question anew, in other words, beside the old one. What was made of it is made of it again. */
export async function editQuestion(chat: OpenChat, old: Message, content: string): Promise<void> {
  const now = conversationOf(chat)
  const parent = parentOf(now, old)
  const asking = withSibling(
    createQuestion(parent, content, old.attachments, Date.now(), undefined, old.documents, old.quotes),
    old,
  )
  const made = now.messages.find(({ parentId }) => parentId === old.id)?.making
  if (made) {
    const make = wishOf(made)
    const answering = createMade(asking, make)
    const attachmentIds = old.attachments.map((attachment) => attachment.id)
    const ids = { userMessageId: asking.id, assistantMessageId: answering.id }
    return start(chat, asking, answering, old.parentId, {
      message: content,
      attachmentIds,
      quotes: old.quotes,
      ...ids,
      branchOf: old.id,
      make,
    })
  }
  const answering = createAnswer(asking, now.head.selection, Date.now())
  await start(chat, asking, answering, old.parentId, {
    message: content,
    attachmentIds: old.attachments.map((attachment) => attachment.id),
    documentIds: old.documents.map((document) => document.id),
    quotes: old.quotes,
    userMessageId: asking.id,
    assistantMessageId: answering.id,
    branchOf: old.id,
    webSearch: await consumeWebMode(chat.id),
    tools: consumeForced(chat.id, now.head.settings.tools),
  })
}

/** Lets a question be answered once more, beside the old answer. */
export async function regenerateAnswer(chat: OpenChat, old: Message, again: RegenerateOptions = {}): Promise<void> {
  const parent = parentOf(conversationOf(chat), old)
  if (old.making && !again.model) {
    const make = wishOf(old.making)
    const answering = withSibling(createMade(parent, make), old)
    const body = { regenerate: true, originalMessageId: old.id, assistantMessageId: answering.id, make }
    return start(chat, null, answering, old.parentId, body)
  }
  const selection = again.model ?? conversationOf(chat).head.selection
  const answering = withSibling(createAnswer(parent, selection, Date.now()), old)
  await start(chat, null, answering, old.parentId, {
    regenerate: true,
    originalMessageId: old.id,
    assistantMessageId: answering.id,
    instruction: again.instruction,
    modelOverride: again.model,
    wholeDocuments: again.wholeDocuments,
    webSearch: again.webSearch ?? (await consumeWebMode(chat.id)),
    tools: consumeForced(chat.id, conversationOf(chat).head.settings.tools),
  })
}

/** Goes on where an answer was cut off. */
export async function continueAnswer(chat: OpenChat, half: Message): Promise<void> {
  const answering: Message = { ...half, status: 'running', failure: null }
  await start(chat, null, answering, half.parentId, { continueMessageId: half.id })
}

/** Stops the running answer: on screen at once, then on the server. What is written stays. */
export async function stopAnswer(chat: OpenChat): Promise<void> {
  const live = conversationOf(chat).live
  if (!live || live.stopping) return
  const waiting = waitingForNetwork.get(chat)
  if (waiting) return waiting.abort()
  changeConversation(chat, markStopping)
  announce(translate('chat-list:said.stopping'))
  const params = { sessionId: chat.id, assistantMessageId: live.messageId }
  try {
    const { message } = await call(routes.cancel, { params })
    outdateReads(chat)
    changeConversation(chat, (now) => (now.live?.messageId === message.id ? finishAnswer(now, message) : now))
  } catch (error) {
    // Not known there: it never began, or it ended long ago. The chat tells.
    if (error instanceof Problem && error.status === 404) return loadChat(chat)
    changeConversation(chat, (now) => (now.live ? { ...now, live: { ...now.live, stopping: false } } : now))
    throw error
  }
}

async function start(
  chat: OpenChat,
  asking: Message | null,
  answering: Message,
  after: string | null,
  body: GenerateBody & { make?: MakeWish },
): Promise<void> {
  const before = conversationOf(chat)
  changeConversation(chat, (now) => addQuestion(now, asking, answering, after, Date.now()))
  chat.store.setState(({ asks }) => ({ followUps: [], asks: asks + 1 }))
  announce(translate('chat-list:said.answering'))
  // At once: a page that is closed before the first try has failed would lose it.
  if (asking && !navigator.onLine) keepUnsent(chat.id, asking)
  try {
    await chat.creating
    // A model or level that was picked a moment ago is on its way, and the question is for it.
    await savesDone(savesOfChat(chat.id))
    const begun = await patiently(chat, asking, () => begin(chat.id, body))
    const stopped = conversationOf(chat).live?.stopping
    outdateReads(chat)
    changeConversation(chat, (now) =>
      confirmQuestion(now, begun.userMessage, begun.assistantMessage, begun.generationId),
    )
    followRunning(chat)
    if (stopped) {
      // Stop was pressed before the server knew of the answer.
      changeConversation(chat, (now) => (now.live ? { ...now, live: { ...now.live, stopping: false } } : now))
      await stopAnswer(chat)
    }
  } catch (error) {
    changeConversation(chat, (now) => revertQuestion(now, before))
    if (body.tools?.choice === 'force') forceTools(chat.id, true)
    throw error
  } finally {
    if (asking) dropUnsent(chat.id, asking.id)
  }
}

const begin = (sessionId: string, { make, ...body }: GenerateBody & { make?: MakeWish }) => {
  const params = { sessionId }
  return make
    ? call(routes.startMaking, { params, body: { ...body, make } })
    : call(routes.startGeneration, { params, body })
}

const wishOf = ({ jobId: _, ...make }: Making): MakeWish => make

const createMade = (parent: Message | null, make: MakeWish): Message => ({
  ...createAnswer(parent, { providerType: 'plugin', providerId: make.pluginId, model: make.model }, Date.now()),
  making: { ...make, jobId: null },
})

/**
 * Tries again while there is no connection; the ids in the body make one question of all tries. Without a network it
 * waits until that is back, however long, unless it is stopped.
 */
async function patiently<T>(chat: OpenChat, asking: Message | null, attempt: () => Promise<T>): Promise<T> {
  for (const wait of [400, 1500, 4000]) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'offline') throw error
      if (navigator.onLine) await new Promise((resolve) => setTimeout(resolve, wait))
      else if (!(await waitForNetwork(chat, asking))) throw error
    }
  }
  return attempt()
}

const waitingForNetwork = new WeakMap<OpenChat, AbortController>()

/** Whether it is back; false when the wait was stopped. */
async function waitForNetwork(chat: OpenChat, asking: Message | null): Promise<boolean> {
  const waiting = new AbortController()
  waitingForNetwork.set(chat, waiting)
  chat.store.setState({ lost: true })
  if (asking) keepUnsent(chat.id, asking)
  await onNetworkBack(waiting.signal)
  chat.store.setState({ lost: false })
  waitingForNetwork.delete(chat)
  return !waiting.signal.aborted
}

const parentOf = (now: Conversation, message: Message) => now.messages.find((m) => m.id === message.parentId) ?? null

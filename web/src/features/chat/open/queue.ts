/** Prompts that wait until the running answer is done. The server keeps and sends them. */
import { chatRoutes as routes, type QueueEntry } from '@atrium/contract/chat'
import { call } from '../../../api/client.ts'
import { toSentQuotes, withQuotes } from '../../../blocks/composer/quotes.ts'
import { newId } from '../../../lib/id.ts'
import { consumeForced } from '../compose/tools/forced-tools.ts'
import type { QuestionInput } from './ask.ts'
import { askQuestion, stopAnswer } from './ask.ts'
import { followRunning } from './follow.ts'
import { changeConversation, conversationOf, loadChat, type OpenChat, outdateReads } from './store.ts'

/** Puts a prompt at the end of the queue. */
export async function enqueueQuestion(
  chat: OpenChat,
  { content, quotes, attachments, documents, webSearch, tools, make }: QuestionInput,
): Promise<void> {
  const params = { sessionId: chat.id }
  const body = {
    id: newId(),
    content: withQuotes(content, quotes),
    quotes: toSentQuotes(quotes),
    attachmentIds: attachments.map(({ id }) => id),
  }
  const queue = make
    ? await call(routes.enqueueMaking, { params, body: { ...body, make } })
    : await call(routes.enqueue, {
        params,
        body: {
          ...body,
          documentIds: documents?.map(({ id }) => id),
          webSearch,
          tools: tools ?? consumeForced(chat.id, conversationOf(chat).head.settings.tools),
        },
      })
  setQueue(chat, queue)
  // The answer may have ended meanwhile, and this prompt be sent already.
  if (!conversationOf(chat).live) await loadChat(chat)
}

/** Changes the text of a waiting prompt. */
export async function rewriteQueued(chat: OpenChat, entryId: string, content: string): Promise<void> {
  const params = { sessionId: chat.id, entryId }
  setQueue(chat, await call(routes.updateQueued, { params, body: { content } }))
}

/** Moves a waiting prompt up (-1) or down (1). */
export async function moveQueued(chat: OpenChat, entryId: string, by: -1 | 1): Promise<void> {
  const { queue: before, head } = conversationOf(chat)
  const paused = head.queuePaused
  const from = before.findIndex((entry) => entry.id === entryId)
  const entry = before[from]
  if (!entry || !before[from + by]) return
  const rest = before.filter((other) => other !== entry)
  const order = [...rest.slice(0, from + by), entry, ...rest.slice(from + by)]
  setQueue(chat, { queue: order, paused })
  try {
    const body = { order: order.map((other) => other.id) }
    setQueue(chat, await call(routes.reorderQueue, { params: { sessionId: chat.id }, body }))
  } catch (error) {
    setQueue(chat, { queue: before, paused })
    throw error
  }
}

/** Takes a prompt out of the queue. Only one caller gets it, so that it cannot be sent twice. */
export async function takeQueued(chat: OpenChat, entryId: string): Promise<QueueEntry> {
  const { entry, ...queue } = await call(routes.removeQueued, { params: { sessionId: chat.id, entryId } })
  setQueue(chat, queue)
  return entry
}

/** Lets a paused queue go on: now, or when the running answer is done. */
export async function resumeQueue(chat: OpenChat): Promise<void> {
  setQueue(chat, await call(routes.resumeQueue, { params: { sessionId: chat.id } }))
  await loadChat(chat)
  followRunning(chat)
}

/** Stops the running answer and sends this prompt at once. One that is refused is given to `putBack`. */
export async function sendQueuedNow(
  chat: OpenChat,
  entryId: string,
  putBack: (entry: QueueEntry) => void,
): Promise<void> {
  const { queuePaused } = conversationOf(chat).head
  const entry = await takeQueued(chat, entryId)
  try {
    await stopAnswer(chat)
    const { quotes: quoted, ...prompt } = entry
    await askQuestion(chat, { ...prompt, quoted })
    // What is behind it was not to be paused by this Stop; it goes on when this answer is done.
    if (!queuePaused && conversationOf(chat).queue.length > 0) await resumeQueue(chat)
  } catch (error) {
    putBack(entry)
    throw error
  }
}

function setQueue(
  chat: OpenChat,
  { queue, paused }: Readonly<{ queue: readonly QueueEntry[]; paused: boolean }>,
): void {
  outdateReads(chat)
  changeConversation(chat, (now) => ({ ...now, queue, head: { ...now.head, queuePaused: paused } }))
}

/**
 * What an open chat holds, and how each thing that happens changes it. Pure: the same events in the same order give
 * the same state, an event that comes twice changes nothing.
 */
import type { Attachment, Chat, ChatEvent, ChatSummary, Message, QueueEntry } from '@atrium/contract/chat'
import type { ContextPlan, Retrieval, Source, ToolCall, Usage } from '@atrium/contract/generation'
import { applyToolEvent } from '@atrium/contract/tool-events'

/** A chat without its messages, queue and draft. */
export type ChatHead = Omit<Chat, 'messages' | 'queue' | 'draft'>

/** A picture of an answer; `partial`: it is still being drawn. */
export interface LivePicture {
  readonly attachment: Attachment
  readonly partial: boolean
}

/** A call whose arguments are being written, as far as they are; `callId`: they are whole, and it is being made. */
export interface LiveDraft {
  readonly draft: string
  readonly name: string
  readonly arguments: string
  readonly callId: string | null
  /** What it made is there, and may take its place. */
  readonly isMade: boolean
}

/** The answer that is being written. */
export interface LiveAnswer {
  readonly messageId: string
  readonly generationId: string | null
  /** The last event that is in. */
  readonly seq: number
  readonly text: string
  readonly reasoning: string
  readonly sources: readonly Source[]
  readonly toolCalls: readonly ToolCall[]
  /** null: none is being written that is shown, or its beginning was missed. */
  readonly draft: LiveDraft | null
  readonly pictures: readonly LivePicture[]
  /** What is being looked for before the answer begins, and what came of it. */
  readonly search: { readonly where: 'documents' | 'web'; readonly status: 'searching' | 'reading' } | null
  readonly retrieval: Retrieval | null
  readonly context: ContextPlan | null
  readonly usage: Usage | null
  /** When it was asked, and when thinking and text began, in ms since 1970 on this machine. */
  readonly askedAt: number
  readonly thinkingAt: number | null
  readonly textAt: number | null
  /** Messages on screen that the server has not confirmed yet. */
  readonly pending: readonly string[]
  /** Stop was pressed; the screen shows it at once, the server follows. */
  readonly stopping: boolean
}

export interface Conversation {
  readonly head: ChatHead
  /** A gapless part of the active path, in reading order. */
  readonly messages: readonly Message[]
  /** The marker of the page before `messages`; null at the first message. */
  readonly earlier: string | null
  /** Whether messages follow that are not loaded (the chat was opened at an older message). */
  readonly later: boolean
  readonly queue: readonly QueueEntry[]
  readonly live: LiveAnswer | null
  /** How long answers thought that were followed here, in ms; the server does not keep it. */
  readonly thoughtMs: Readonly<Record<string, number>>
}

/** A chat as the server gives it. */
export function createConversation(chat: Chat, now: number): Conversation {
  const { messages, queue, draft: _, ...head } = chat
  const state = {
    head,
    messages: messages.items,
    earlier: messages.nextCursor,
    later: false,
    queue,
    live: null,
    thoughtMs: {},
  }
  return { ...state, live: liveFrom(head, messages.items, null, now) }
}

/** The chat was loaded again: take what is new, keep the earlier pages that are still on the path. */
export function mergeReloaded(state: Conversation, chat: Chat, now: number): Conversation {
  const { messages, queue, draft: _, ...head } = chat
  if (state.later) return { ...state, head, queue, messages: updated(state.messages, messages.items) }
  const first = messages.items[0]
  // Where a message between them went meanwhile, depths do not meet, and the earlier pages are loaded anew.
  const above = first ? state.messages.findIndex((m) => m.id === first.parentId && m.depth === first.depth - 1) : -1
  const live = liveFrom(head, messages.items, state.live, now)
  // A question that is on its way is not known to the server yet.
  const known = new Set(messages.items.map((m) => m.id))
  const pending = state.messages.filter((m) => live?.pending.includes(m.id) && !known.has(m.id))
  return {
    ...state,
    head,
    queue,
    messages: [...state.messages.slice(0, above + 1), ...messages.items, ...pending],
    earlier: above >= 0 ? state.earlier : messages.nextCursor,
    later: false,
    live,
  }
}

/** An earlier page came. */
export function prependPage(state: Conversation, items: readonly Message[], cursor: string | null): Conversation {
  const known = new Set(state.messages.map((m) => m.id))
  return { ...state, earlier: cursor, messages: [...items.filter((m) => !known.has(m.id)), ...state.messages] }
}

/** A later page came, after the chat was opened at an older message. */
export function appendPage(state: Conversation, items: readonly Message[], more: boolean, now: number): Conversation {
  const known = new Set(state.messages.map((m) => m.id))
  const messages = [...state.messages, ...items.filter((m) => !known.has(m.id))]
  return { ...state, messages, later: more, live: more ? null : liveFrom(state.head, messages, state.live, now) }
}

/** Shows another part of the path, around one message. */
export function replacePage(
  state: Conversation,
  items: readonly Message[],
  earlier: string | null,
  later: boolean,
  now: number,
): Conversation {
  return {
    ...state,
    messages: items,
    earlier,
    later,
    live: later ? null : liveFrom(state.head, items, state.live, now),
  }
}

/** A question was sent: it and its empty answer are on screen before the server has said a word. */
export function addQuestion(
  state: Conversation,
  question: Message | null,
  answer: Message,
  after: string | null,
  now: number,
): Conversation {
  const cut = after === null ? 0 : state.messages.findIndex((m) => m.id === after) + 1
  const messages = [...state.messages.slice(0, cut), ...(question ? [question] : []), answer]
  const pending = question ? [question.id, answer.id] : [answer.id]
  return { ...state, later: false, messages, live: { ...newLive(answer, null, now), pending } }
}

/** The server took the question. */
export function confirmQuestion(
  state: Conversation,
  question: Message | null,
  answer: Message,
  generationId: string,
): Conversation {
  const last = question ?? answer
  const known = state.messages.some((m) => m.id === answer.id)
  const messages = known
    ? updated(state.messages, question ? [question, answer] : [answer])
    : [...state.messages.filter((m) => m.depth < last.depth), ...(question ? [question] : []), answer]
  const live =
    state.live?.messageId === answer.id
      ? { ...state.live, generationId, pending: [] }
      : newLive(answer, generationId, 0)
  return {
    ...state,
    messages,
    head: { ...state.head, runningGenerationId: generationId, activeLeafId: answer.id, failed: false },
    live,
  }
}

/** The server refused the question: the screen goes back to what it was. */
export function revertQuestion(state: Conversation, before: Conversation): Conversation {
  return { ...state, messages: before.messages, later: before.later, earlier: before.earlier, live: before.live }
}

/**
 * One event of the generation with this id. Events that are already in, or of another generation than the running one,
 * change nothing: those of a stopped answer may still come in when the next one has begun, and count from 1 as well.
 */
export function applyEvent(
  state: Conversation,
  generationId: string,
  seq: number,
  event: ChatEvent,
  now: number,
): Conversation {
  const live = state.live
  if (live?.generationId !== generationId || seq <= live.seq) return state
  const at = { ...live, seq }
  switch (event.type) {
    case 'start':
      return { ...state, live: { ...at, context: event.data.context } }
    case 'text':
      return { ...state, live: { ...at, text: live.text + event.data.delta, textAt: live.textAt ?? now } }
    case 'reasoning':
      return {
        ...state,
        live: { ...at, reasoning: live.reasoning + event.data.delta, thinkingAt: live.thinkingAt ?? now },
      }
    case 'search': {
      const { where, status, retrieval, context } = event.data
      const search = status === 'done' ? null : { where, status }
      const found = { retrieval: retrieval ?? live.retrieval, context: context ?? live.context }
      return { ...state, live: { ...at, search, ...found } }
    }
    case 'sources':
      return { ...state, live: { ...at, sources: event.data.items } }
    case 'attachment': {
      const { place, ...picture } = event.data
      const pictures = [...live.pictures]
      pictures[Math.min(place, pictures.length)] = picture
      return { ...state, live: { ...at, pictures } }
    }
    case 'usage':
      return { ...state, live: { ...at, usage: event.data } }
    case 'tool-draft':
      return { ...state, live: { ...at, draft: growDraft(live.draft, event.data) } }
    case 'tool-call':
    case 'tool-result':
    case 'approval':
      return {
        ...state,
        live: { ...at, toolCalls: applyToolEvent(live.toolCalls, event), draft: endDraft(live.draft, event) },
      }
    case 'done':
    case 'cancelled':
      return finishAnswer(state, event.data.message)
    case 'error':
      return finishAnswer(state, event.data.message ?? failed(state, live, event.data))
  }
}

/** A piece that does not follow what is there changes nothing: all of it comes with the call. */
function growDraft(
  known: LiveDraft | null,
  { draft, name, at, delta }: Extract<ChatEvent, { type: 'tool-draft' }>['data'],
): LiveDraft | null {
  if (at === 0) return { draft, name, arguments: delta, callId: null, isMade: false }
  if (known?.draft !== draft || known.arguments.length !== at) return known
  return { ...known, arguments: known.arguments + delta }
}

/** The call has all of it. Where it failed nothing is left of the draft. */
function endDraft(
  known: LiveDraft | null,
  event: Extract<ChatEvent, { type: 'tool-call' | 'tool-result' | 'approval' }>,
): LiveDraft | null {
  if (!known || event.type === 'approval') return known
  if (event.type === 'tool-result') {
    if (event.data.callId !== known.callId) return known
    return event.data.result.status === 'done' ? { ...known, isMade: true } : null
  }
  const { id, name, arguments: args } = event.data
  return known.callId === null && name === known.name ? { ...known, arguments: args, callId: id } : known
}

/** The answer stands, whole or not. */
export function finishAnswer(state: Conversation, message: Message): Conversation {
  const mine = state.live?.messageId === message.id
  return {
    ...state,
    messages: updated(state.messages, [message]),
    head: mine
      ? {
          ...state.head,
          runningGenerationId: null,
          needsAnswer: message.status === 'waiting',
          failed: message.status === 'failed' || message.status === 'interrupted',
          // As on the server: what waits behind an answer that did not end well is paused.
          queuePaused: state.head.queuePaused || (!goesOn.has(message.status) && state.queue.length > 0),
        }
      : state.head,
    live: mine ? null : state.live,
    thoughtMs: mine ? withThought(state.thoughtMs, state.live) : state.thoughtMs,
  }
}

/** Behind these the queue goes on, now or when somebody has decided. */
const goesOn: ReadonlySet<Message['status']> = new Set(['complete', 'waiting'])

/** Stop was pressed. */
export function markStopping(state: Conversation): Conversation {
  return state.live ? { ...state, live: { ...state.live, stopping: true } } : state
}

/** One message changed in place: edited or rated. */
export function replaceMessage(state: Conversation, message: Message): Conversation {
  return { ...state, messages: updated(state.messages, [message]) }
}

/** A message was pinned or unpinned, in whichever branch it is. */
export function markPinned(state: Conversation, messageId: string, pinned: boolean): Conversation {
  const pinnedCount = Math.max(0, state.head.pinnedCount + (pinned ? 1 : -1))
  const messages = state.messages.map((message) => (message.id === messageId ? { ...message, pinned } : message))
  return { ...state, head: { ...state.head, pinnedCount }, messages }
}

/** Whether a chat has other branches, as far as is known: parts of the path that are not loaded may have some. */
export const mayHaveBranches = ({ messages, earlier, later }: Conversation): boolean =>
  earlier !== null || later || messages.some(({ siblingCount }) => siblingCount > 1)

/** Messages left the middle of the path: what followed them goes on after what stood before. */
export function dropMessages(state: Conversation, ids: ReadonlySet<string>): Conversation {
  let gone = 0
  let before: string | null = null
  const messages: Message[] = []
  for (const message of state.messages) {
    if (ids.has(message.id)) {
      if (gone === 0) before = message.parentId
      gone += 1
      continue
    }
    const follows = message.parentId !== null && ids.has(message.parentId)
    // A summary of what they were a part of went with them.
    if (gone > 0 && message.role === 'summary') continue
    const parentId = follows ? before : message.parentId
    messages.push(gone === 0 ? message : { ...message, parentId, depth: message.depth - gone })
  }
  return { ...state, messages }
}

/** The chat's own fields changed. */
export function changeHead(state: Conversation, change: Partial<ChatSummary>): Conversation {
  return { ...state, head: { ...state.head, ...change } }
}

function withThought(
  known: Readonly<Record<string, number>>,
  live: LiveAnswer | null,
): Readonly<Record<string, number>> {
  if (live?.thinkingAt == null || live.textAt === null) return known
  return { ...known, [live.messageId]: live.textAt - live.thinkingAt }
}

function newLive(answer: Message, generationId: string | null, now: number): LiveAnswer {
  return {
    messageId: answer.id,
    generationId,
    seq: 0,
    // An answer that is continued keeps its first part.
    text: answer.content,
    reasoning: answer.reasoning ?? '',
    sources: answer.sources,
    toolCalls: answer.toolCalls,
    draft: null,
    pictures: answer.attachments.map((attachment) => ({ attachment, partial: false })),
    search: null,
    retrieval: answer.retrieval ?? null,
    context: answer.context,
    usage: null,
    askedAt: now,
    thinkingAt: null,
    textAt: null,
    pending: [],
    stopping: false,
  }
}

/** The running answer of a loaded chat, keeping what was already followed of it. */
function liveFrom(
  head: ChatHead,
  messages: readonly Message[],
  known: LiveAnswer | null,
  now: number,
): LiveAnswer | null {
  const last = messages.findLast((m) => m.role === 'assistant' && m.status === 'running')
  if (known && known.pending.length > 0) return known
  if (!last || !head.runningGenerationId) return null
  const generationId = last.generationId ?? head.runningGenerationId
  // An answer that is continued is the same message, in another generation.
  if (known?.messageId === last.id && known.generationId === generationId) return known
  return newLive(last, generationId, Math.min(now, Date.parse(last.createdAt)))
}

function updated(messages: readonly Message[], changes: readonly Message[]): readonly Message[] {
  const byId = new Map(changes.map((m) => [m.id, m]))
  return messages.some((m) => byId.has(m.id)) ? messages.map((m) => byId.get(m.id) ?? m) : messages
}

function failed(state: Conversation, live: LiveAnswer, failure: { code: string; detail: string }): Message {
  const message = state.messages.find((m) => m.id === live.messageId)
  if (!message) throw new Error('an answer ended that is not on the path')
  const { code, detail } = failure
  return {
    ...message,
    status: 'failed',
    content: live.text,
    reasoning: live.reasoning || null,
    attachments: live.pictures.map(({ attachment }) => attachment),
    failure: { code, detail },
  }
}

/**
 * What somebody sees of a chat that is not their own: what was said, with attachments and the passages that are cited.
 * Left out is what is its owner's alone: retrieval, passages that no answer cites, what tools were called with and
 * answered, use and cost, ratings, names of branches, and the words of a failure, which name connections. Pure.
 */
import type { ChatEvent, ChatSummary, Making, Message } from '@atrium/contract/chat'
import type { Failure, ToolCall } from '@atrium/contract/generation'
import { isOwnCall } from '../../../core/generation/index.ts'
import type { Frame, AuthorisedResource } from '../../../platform/http/area.ts'
import type { MessageContent } from '../stores/rows.ts'

export const messageForReader = (message: Message): Message => ({
  ...message,
  toolCalls: message.toolCalls.filter(isOwnCall).map(callForReader),
  sources: citedOf(message),
  retrieval: null,
  making: message.making && plainMaking(message.making),
  usage: null,
  context: null,
  failure: plainFailure(message.failure),
  rating: null,
  pinned: false,
  branchName: null,
})

/** Which tool it was, where it stands and how it went. An agent's own tools are its owner's alone. */
const callForReader = (call: ToolCall): ToolCall => {
  const { id, name, title, source, serverName, status, round, textBefore, startedAt, finishedAt } = call
  return {
    id,
    name,
    arguments: '',
    ...(title !== undefined && { title }),
    ...(source && { source }),
    ...(serverName !== undefined && { serverName }),
    ...(status && { status }),
    ...(round !== undefined && { round }),
    ...(textBefore !== undefined && { textBefore }),
    ...(startedAt !== undefined && { startedAt }),
    ...(finishedAt !== undefined && { finishedAt }),
  }
}

/** Messages as an account with this right on the chat may see them. */
export const redactFor = ({ right }: Pick<AuthorisedResource, 'right'>, messages: readonly Message[]): Message[] =>
  right === 'owner' ? [...messages] : messages.map(messageForReader)

/** The same for what is stored of a message, for a copy of it. */
export const contentForReader = (content: MessageContent): MessageContent => ({
  ...content,
  toolCalls: [],
  toolTexts: {},
  tools: null,
  sources: citedOf(content),
  retrieval: null,
  making: content.making && plainMaking(content.making),
  usage: null,
  context: null,
  failure: plainFailure(content.failure),
})

/** Folder, tags and marks of a chat are its owner's. */
export const summaryForReader = (summary: ChatSummary): ChatSummary => ({
  ...summary,
  folderId: null,
  tags: [],
  pinned: false,
  archived: false,
  needsAnswer: false,
  failed: false,
  unread: false,
  shared: true,
})

/** The events of an answer, without those that tell nothing to a reader. */
export async function* framesForReader(frames: AsyncIterable<Frame<ChatEvent>>): AsyncGenerator<Frame<ChatEvent>> {
  for await (const { seq, event } of frames) {
    const seen = eventForReader(event)
    if (seen) yield { seq, event: seen }
  }
}

/** null: nothing of it is for readers. Sources come with the answer that cites them. */
export const eventForReader = (event: ChatEvent): ChatEvent | null => {
  switch (event.type) {
    case 'text':
    case 'reasoning':
    case 'attachment':
      return event
    case 'start':
      return { type: 'start', data: { ...event.data, context: null } }
    case 'search':
      return { type: 'search', data: { status: event.data.status, where: event.data.where } }
    case 'done':
      return { type: 'done', data: { message: messageForReader(event.data.message) } }
    case 'cancelled':
      return { type: 'cancelled', data: { message: messageForReader(event.data.message) } }
    case 'error': {
      const { code, message } = event.data
      return { type: 'error', data: { code, detail: ended, ...(message && { message: messageForReader(message) }) } }
    }
    case 'tool-call':
      return isOwnCall(event.data) ? { type: 'tool-call', data: callForReader(event.data) } : null
    case 'sources':
    case 'tool-draft':
    case 'tool-result':
    case 'approval':
    case 'usage':
      return null
  }
}

const ended = 'The answer ended early.'

const plainFailure = (failure: Failure | null): Failure | null => failure && { code: failure.code, detail: ended }

/** The gallery is its owner's alone, and so is what was chosen. */
const plainMaking = ({ kind, model, pluginId }: Making): Making => ({ kind, model, pluginId, jobId: null })

/** Answers from before it was kept say nothing about what they cite: all their sources count. */
export const citedOf = ({ sources }: Pick<Message, 'sources'>): Message['sources'] =>
  sources.filter(({ cited }) => cited !== false)

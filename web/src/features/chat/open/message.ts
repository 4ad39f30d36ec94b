/** Messages as they stand on screen before the server has them. */
import type { Attachment, Message, SentDocument, SentQuote } from '@atrium/contract/chat'
import type { Selection } from '@atrium/contract/common'
import { newId } from '../../../lib/id.ts'

const blank: Message = {
  id: '',
  parentId: null,
  role: 'user',
  status: 'complete',
  content: '',
  reasoning: null,
  attachments: [],
  documents: [],
  toolCalls: [],
  sources: [],
  selection: null,
  usage: null,
  context: null,
  finishReason: null,
  failure: null,
  rating: null,
  siblingIndex: 0,
  siblingCount: 1,
  depth: 0,
  summarised: false,
  generationId: null,
  createdAt: '',
  editedAt: null,
}

/** The question that was just sent. */
export function createQuestion(
  parent: Message | null,
  content: string,
  attachments: readonly Attachment[],
  now: number,
  id = newId(),
  documents: readonly SentDocument[] = [],
  quotes: readonly SentQuote[] = [],
): Message {
  const createdAt = new Date(now).toISOString()
  return {
    ...blank,
    id,
    content,
    attachments: [...attachments],
    documents: [...documents],
    quotes: [...quotes],
    ...below(parent),
    createdAt,
  }
}

/** Its answer, of which nothing is written yet. */
export function createAnswer(parent: Message | null, selection: Selection | null, now: number, id = newId()): Message {
  const createdAt = new Date(now).toISOString()
  return { ...blank, id, role: 'assistant', status: 'running', selection, ...below(parent), createdAt }
}

/** The same place in the tree as this one, one sibling more. */
export function withSibling(message: Message, sibling: Message): Message {
  const { parentId, depth, siblingCount } = sibling
  return { ...message, parentId, depth, siblingIndex: siblingCount, siblingCount: siblingCount + 1 }
}

const below = (parent: Message | null) => ({ parentId: parent?.id ?? null, depth: parent ? parent.depth + 1 : 0 })

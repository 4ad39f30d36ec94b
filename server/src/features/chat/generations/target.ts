/** The target of a request to answer: a new question, another answer, or the rest of one. */
import type { GenerateBody } from '@atrium/contract/chat'
import type { Source } from '@atrium/contract/generation'
import { isOwnCall } from '../../../core/generation/index.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import type { ChatContext } from '../context.ts'
import { isContinuable } from '../rules.ts'
import { type MessageContent, openContent, openQuestionWords } from '../stores/rows.ts'
import type { AttachmentRow, MessageRow, SessionRow } from '../tables.ts'

/** A question that is stored already. */
export interface StoredQuestion {
  readonly row: MessageRow
  readonly text: string
  /** Where untrusted text begins in it; null: nowhere. */
  readonly foreignFrom: number | null
  readonly attachments: readonly AttachmentRow[]
}

export type AnswerTarget =
  | {
      readonly kind: 'question'
      readonly parent: MessageRow | null
      /** Whether it is a sibling of another question instead of at the end of the path. */
      readonly sibling: boolean
    }
  | { readonly kind: 'regenerate'; readonly question: StoredQuestion }
  | {
      readonly kind: 'continue'
      readonly question: StoredQuestion | null
      readonly answer: MessageRow
      /** What there is of it, with what it called. */
      readonly before: Pick<MessageContent, 'text' | 'toolCalls' | 'toolTexts' | 'tools'>
      /** What the beginning was given. */
      readonly sources: readonly Source[]
      /** Those of them that were found for the question; the others came with results of calls. */
      readonly found: readonly Source[]
    }

/** Whether a body asks a new question. */
export const hasNewQuestion = (body: GenerateBody): boolean =>
  (body.message ?? '').trim() !== '' || (body.attachmentIds?.length ?? 0) > 0

/**
 * Reads what the body points to. Refuses with `validation_failed` when it asks for nothing or for two things,
 * `message_not_found`, and `nothing_to_continue`.
 */
export const readTarget = async (
  context: ChatContext,
  keys: Keyring,
  chat: SessionRow,
  body: GenerateBody,
  resumes = false,
): Promise<AnswerTarget> => {
  const anew = hasNewQuestion(body)
  const regenerates = body.regenerate === true || body.originalMessageId !== undefined
  const continues = body.continueMessageId !== undefined
  if (Number(anew) + Number(regenerates) + Number(continues) !== 1) {
    throw invalid('body.message', 'say exactly one of: a message or attachments, a regeneration, a continuation')
  }
  if (body.branchOf !== undefined && !anew) throw invalid('body.branchOf', 'goes with a message only')
  if (body.instruction !== undefined && !regenerates) throw invalid('body.instruction', 'goes with a regeneration only')
  if (regenerates) return readRegeneration(context, keys, chat, body)
  if (body.continueMessageId !== undefined)
    return readContinuation(context, keys, chat, body.continueMessageId, resumes)
  if (body.branchOf === undefined) {
    const leaf = chat.active_leaf_id ? await context.store.messages.read(chat.id, chat.active_leaf_id) : null
    return { kind: 'question', parent: leaf, sibling: false }
  }
  const twin = await readMessage(context, chat, body.branchOf)
  if (twin.role !== 'user') throw invalid('body.branchOf', 'names a question')
  const parent = twin.parent_id === null ? null : await readMessage(context, chat, twin.parent_id)
  return { kind: 'question', parent, sibling: true }
}

const readRegeneration = async (
  context: ChatContext,
  keys: Keyring,
  chat: SessionRow,
  body: GenerateBody,
): Promise<AnswerTarget> => {
  if (body.regenerate !== true || body.originalMessageId === undefined) {
    throw invalid('body.originalMessageId', 'regenerate and originalMessageId go together')
  }
  const original = await readMessage(context, chat, body.originalMessageId)
  const asked = original.role === 'user' ? original.id : original.parent_id
  const row = asked === null ? null : await readMessage(context, chat, asked)
  if (row?.role !== 'user') throw invalid('body.originalMessageId', 'names an answer, or its question')
  return { kind: 'regenerate', question: await openQuestion(context, keys, row) }
}

const readContinuation = async (
  context: ChatContext,
  keys: Keyring,
  chat: SessionRow,
  id: string,
  resumes: boolean,
): Promise<AnswerTarget> => {
  const answer = await readMessage(context, chat, id)
  const isEnd =
    answer.active_child_id === null && (await context.store.messages.childIds(chat.id, [id], false)).length === 0
  const mayGoOn = resumes ? answer.status === 'waiting' : isContinuable(answer.status, answer.finish_reason)
  if (answer.role !== 'assistant' || !isEnd || !mayGoOn) {
    throw answer.status === 'running' ? fail('generation_running') : fail('nothing_to_continue')
  }
  const row = answer.parent_id === null ? null : await readMessage(context, chat, answer.parent_id)
  const { sources, retrieval, ...before } = openContent(keys, answer)
  const question = row ? await openQuestion(context, keys, row) : null
  const found = before.toolCalls.some(isOwnCall) ? sources.slice(0, retrieval?.excerpts ?? 0) : sources
  return { kind: 'continue', answer, question, before, sources, found }
}

const openQuestion = async (context: ChatContext, keys: Keyring, row: MessageRow): Promise<StoredQuestion> => ({
  row,
  ...openQuestionWords(keys, row),
  attachments: (await context.store.attachments.ofMessages([row])).get(row.id) ?? [],
})

const readMessage = async (context: ChatContext, chat: SessionRow, id: string): Promise<MessageRow> => {
  const row = await context.store.messages.read(chat.id, id)
  if (!row || row.role === 'summary') throw fail('message_not_found')
  return row
}

const invalid = (path: string, message: string) => fail('validation_failed', undefined, [{ path, message }])

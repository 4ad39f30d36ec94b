/** The record of a request to answer: messages, path and chat, in few statements, because all writers wait for them. */
import type { GenerateBody } from '@atrium/contract/chat'
import type { Transaction } from 'kysely'
import { fail } from '../../../platform/http/refusal.ts'
import type { Sealed } from '../../../platform/vault/types.ts'
import type { ChatContext } from '../context.ts'
import { leadTo, summaryAfter } from '../messages/path.ts'
import type { NewMessageRow } from '../stores/messages.ts'
import { selectionToText } from '../stores/rows.ts'
import type { AttachmentRow, ChatTables, MessageRow, SessionRow } from '../tables.ts'
import type { AnswerTarget } from './target.ts'
import type { AnswerConfig } from './turn.ts'

/** A queued prompt was taken by somebody else in between, or the queue was paused. */
export class QueueEntryTaken extends Error {}

export interface AskRecord {
  readonly chat: SessionRow
  readonly target: AnswerTarget
  readonly body: GenerateBody
  readonly voice: AnswerConfig
  readonly attachments: readonly AttachmentRow[]
  readonly digest: string
  readonly now: number
  readonly runId: string
  /** The new question's; null where none is made. */
  readonly questionId: string | null
  readonly assistantId: string
  readonly sealed: { readonly question: Sealed | null; readonly answer: Sealed; readonly title: Sealed | null }
  /** The queued prompt that goes with it. */
  readonly entryId: string | undefined
  readonly hasDraft: boolean
}

/** Where the answer came to stand. */
export interface InsertedTurn {
  /** As it was when the record was made, but with the summary that is in force for the answer. */
  readonly chat: SessionRow
  /** What the new question follows, for new questions. */
  readonly parent: MessageRow | null
}

/** Writes it. Refuses with `chat_not_found` and `message_not_found` what went away meanwhile. */
export const insertTurn = async (
  context: ChatContext,
  trx: Transaction<ChatTables>,
  given: AskRecord,
): Promise<InsertedTurn> => {
  const { store } = context
  const { target, assistantId, runId, questionId } = given
  const chat = await store.sessions.readIn(trx, given.chat.id, given.chat.account_id)
  if (!chat) throw fail('chat_not_found')
  if (given.entryId !== undefined) {
    if (chat.queue_held === 1 || !(await store.queue.take(trx, chat.id, given.entryId))) throw new QueueEntryTaken()
  }
  const parent = await findParent(context, trx, chat, target)
  const place = target.kind === 'continue' ? target.answer.id : (parent?.id ?? null)
  const summary_id = await summaryAfter(store, trx, chat, place, place === chat.active_leaf_id)

  if (target.kind === 'continue') {
    await store.messages.updateIn(trx, assistantId, { status: 'running', generation_id: runId, finish_reason: null })
    await leadTo(store, trx, chat, target.answer)
  } else {
    const rows = messageRows(given, parent)
    await store.messages.insertIn(trx, ...rows)
    if (rows[0]) await leadTo(store, trx, chat, rows[0])
    if (questionId) {
      const ids = given.attachments.map((attachment) => attachment.id)
      await store.attachments.give(trx, questionId, chat.id, ids)
    }
  }
  const isFirst = chat.title_source === 'default' && chat.active_leaf_id === null
  await store.sessions.updateIn(trx, chat.id, {
    ...(chat.selection === null ? { selection: selectionToText(given.voice.model.selection) } : {}),
    ...(given.sealed.title && isFirst ? { title: given.sealed.title } : {}),
    summary_id,
    active_leaf_id: assistantId,
    running_generation_id: runId,
    failed: 0,
    updated_at: given.now,
  })
  if (given.hasDraft) await store.queue.removeDraft(trx, chat.id)
  return { chat: { ...chat, summary_id }, parent }
}

/** What the new message follows, as it is now. A question at the end of the path follows whatever ends it now. */
const findParent = async (
  context: ChatContext,
  trx: Transaction<ChatTables>,
  chat: SessionRow,
  target: AnswerTarget,
): Promise<MessageRow | null> => {
  if (target.kind === 'continue') return null
  const known = target.kind === 'regenerate' ? target.question.row : target.parent
  const id = target.kind === 'question' && !target.sibling ? chat.active_leaf_id : (known?.id ?? null)
  if (id === null) return null
  if (id === known?.id && id === chat.active_leaf_id) return known
  const now = await context.store.messages.readIn(trx, chat.id, id)
  if (!now) throw fail('message_not_found')
  return now
}

/** The question, if there is a new one, and the answer below it. */
const messageRows = (given: AskRecord, parent: MessageRow | null): NewMessageRow[] => {
  const { chat, questionId, assistantId, sealed } = given
  const base = {
    chat_id: chat.id,
    account_id: chat.account_id,
    rating: null,
    finish_reason: null,
    covers_to_id: null,
    digest: given.digest,
    created_at: given.now,
    edited_at: null,
    deleted_at: null,
    trash_id: null,
  }
  const depth = parent ? parent.depth + 1 : 0
  const question: NewMessageRow | null =
    questionId !== null && sealed.question !== null
      ? {
          ...base,
          id: questionId,
          parent_id: parent?.id ?? null,
          role: 'user',
          status: 'complete',
          depth,
          content: sealed.question,
          selection: null,
          generation_id: null,
          active_child_id: assistantId,
          attachment_count: given.attachments.length,
        }
      : null
  const answer: NewMessageRow = {
    ...base,
    id: assistantId,
    parent_id: question?.id ?? parent?.id ?? null,
    role: 'assistant',
    status: 'running',
    depth: question ? depth + 1 : depth,
    content: sealed.answer,
    selection: selectionToText(given.voice.model.selection),
    generation_id: given.runId,
    active_child_id: null,
    attachment_count: 0,
  }
  return question ? [question, answer] : [answer]
}

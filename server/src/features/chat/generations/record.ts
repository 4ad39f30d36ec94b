/** Inserts the messages of a request in few statements, because all writers wait for them. */
import type { Transaction } from 'kysely'
import { fail } from '../../../platform/http/refusal.ts'
import type { Keyring, Sealed } from '../../../platform/vault/types.ts'
import type { ChatContext } from '../context.ts'
import { activatePathTo, summaryAfter } from '../messages/path.ts'
import type { NewMessageRow } from '../stores/messages.ts'
import { firstWords, quotesIn } from '../rules.ts'
import { plainContent, sealContent, sealTitle, selectionToText } from '../stores/rows.ts'
import type { ChatTables, MessageRow, SessionRow } from '../tables.ts'
import { expiryFrom } from '../sessions/temporary.ts'
import type { AnswerTarget } from './target.ts'
import type { AskInput, InsertedTurn } from './input.ts'

/** A queued prompt was taken by somebody else in between, or the queue was paused. */
export class QueueEntryTaken extends Error {}

/** What goes into the rows, sealed before the transaction begins: all writers wait for it. */
export interface SealedTurn {
  readonly question: Sealed | null
  readonly answer: Sealed
  readonly title: Sealed | null
}

export const sealTurn = (
  keys: Keyring,
  { chat, body, questionId, assistantId, documents, foreignFrom }: AskInput,
): SealedTurn => {
  const text = body.message ?? ''
  return {
    question:
      questionId === null
        ? null
        : sealContent(keys, questionId, {
            ...plainContent(text, documents),
            quotes: quotesIn(text, body.quotes ?? []),
            foreignFrom,
          }),
    answer: sealContent(keys, assistantId, {
      ...plainContent(''),
      making: body.make ? { ...body.make, jobId: null } : null,
      tools: body.tools ?? null,
    }),
    title: questionId !== null && text.trim() !== '' ? sealTitle(keys, chat.id, firstWords(text)) : null,
  }
}

/**
 * Inserts the messages of a request and starts its run. The first try takes the chat to be as it was read, so that other
 * writers need not wait until it is read again. Refuses with `chat_not_found` and `message_not_found` what went away meanwhile.
 */
export const insertTurn = async (
  context: ChatContext,
  trx: Transaction<ChatTables>,
  ask: AskInput,
  sealed: SealedTurn,
  isFirstTry: boolean,
): Promise<InsertedTurn> => {
  const { store } = context
  const { target, assistantId, runId, questionId } = ask
  const isAsRead = isFirstTry && ask.queueEntryId === undefined
  const chat = isAsRead ? ask.chat : await store.sessions.readIn(trx, ask.chat.id, ask.chat.account_id)
  if (!chat) throw fail('chat_not_found')
  if (ask.queueEntryId !== undefined) {
    if (chat.queue_held === 1 || !(await store.queue.take(trx, chat.id, ask.queueEntryId))) throw new QueueEntryTaken()
  }
  const parent = await findParent(context, trx, chat, target)
  const above = target.kind === 'continue' ? target.answer.id : (parent?.id ?? null)
  const summary_id = await summaryAfter(store, trx, chat, above, above === chat.active_leaf_id)

  if (target.kind === 'continue') {
    const begun = { status: 'running', generation_id: runId, finish_reason: null } as const
    if (!ask.resumes) await store.messages.updateIn(trx, assistantId, begun)
    else if (!(await store.messages.leaveWaitingIn(trx, assistantId, begun))) throw fail('generation_running')
    await activatePathTo(store, trx, chat, target.answer)
  } else {
    const rows = messageRows(ask, sealed, parent)
    await store.messages.insertIn(trx, ...rows)
    if (rows[0]) await activatePathTo(store, trx, chat, rows[0])
    if (questionId) {
      const ids = ask.attachments.map((attachment) => attachment.id)
      await store.attachments.assignNew(trx, questionId, chat.id, ids)
    }
  }
  const isFirst = chat.title_source === 'default' && chat.active_leaf_id === null
  const patch = {
    // What makes something talks to nobody.
    ...(chat.selection === null && !ask.body.make ? { selection: selectionToText(ask.config.model.selection) } : {}),
    ...(sealed.title && isFirst ? { title: sealed.title } : {}),
    ...(chat.draft === 1 ? { draft: 0 } : {}),
    ...(chat.expires_at === null ? {} : { expires_at: expiryFrom(context, ask.now) }),
    summary_id,
    active_leaf_id: assistantId,
    running_generation_id: runId,
    needs_answer: 0,
    failed: 0,
    updated_at: ask.now,
  }
  if (isAsRead) await store.sessions.updateAsRead(trx, chat, patch)
  else await store.sessions.updateIn(trx, chat.id, patch)
  if (ask.hasDraft) await store.queue.removeDraft(trx, chat.id)
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
const messageRows = (ask: AskInput, sealed: SealedTurn, parent: MessageRow | null): NewMessageRow[] => {
  const { chat, questionId, assistantId } = ask
  const base = {
    chat_id: chat.id,
    account_id: chat.account_id,
    rating: null,
    finish_reason: null,
    covers_to_id: null,
    digest: ask.digest,
    created_at: ask.now,
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
          attachment_count: ask.attachments.length,
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
    selection: selectionToText(ask.config.model.selection),
    generation_id: ask.runId,
    active_child_id: null,
    attachment_count: 0,
  }
  return question ? [question, answer] : [answer]
}

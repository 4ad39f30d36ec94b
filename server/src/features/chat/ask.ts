/** Starting an answer: what is asked becomes messages and a run, in one transaction, or nothing at all. */
import type { GenerateBody } from '@atrium/contract/chat'
import type { Run, Write } from '../../core/generation/index.ts'
import { isUniqueViolation } from '../../platform/db/index.ts'
import { over } from '../../platform/db/types.ts'
import { fail, isRefusal } from '../../platform/http/refusal.ts'
import { findAttachments } from './attachments.ts'
import { type Room, openChat } from './deps.ts'
import { appendToPath, leadTo, summaryAfter } from './path.ts'
import { firstWords } from './rules.ts'
import { prepareAnswer, refuseWhatCannotFit } from './prepare.ts'
import { openContent, plainContent, sealContent, sealTitle, selectionToText, textToSelection } from './stores/shapes.ts'
import type { ChatTables, MessageRow, SessionRow } from './tables.ts'
import { findVoice } from './voice.ts'
import { type Target, readTarget } from './target.ts'

export interface Asked {
  readonly run: Run
  readonly assistantMessageId: string
  /** The question; null for an answer that stands at the root. */
  readonly questionId: string | null
  /** Whether this request made the question. */
  readonly asksAnew: boolean
}

/** A queued prompt that the answer takes with it. */
export interface Queued {
  readonly entryId: string
}

/** A queued prompt was taken by somebody else in between. */
export class TakenMeanwhile extends Error {}

/**
 * Starts an answer. Asking twice with the same ids gives the first run; the refusals are those of the contract's
 * `startGeneration`.
 */
export const ask = async (
  room: Room,
  accountId: string,
  chatId: string,
  body: GenerateBody,
  queued?: Queued,
): Promise<Asked> => {
  const { chat, keys } = await openChat(room, chatId, accountId)
  const digest = room.vault.blindIndex('chat.ask', JSON.stringify([chatId, sorted(body)]))
  const before = await findRepeat(room, chat, body, digest)
  if (before) return before
  const target = await readTarget(room, keys, chat, body)
  const [voice, attachments] = await Promise.all([
    findVoice(room, keys, chat, { ...body, modelOverride: body.modelOverride ?? ownModel(target) }),
    findAttachments(room, accountId, body.attachmentIds ?? []),
  ])
  refuseWhatCannotFit(voice, target, body.message ?? '', attachments)

  const runId = room.clock.id()
  const now = room.clock.now()
  const questionId = target.kind === 'question' ? (body.userMessageId ?? room.clock.id()) : null
  const assistantId = target.kind === 'continue' ? target.answer.id : (body.assistantMessageId ?? room.clock.id())
  if (questionId === assistantId) throw fail('id_reused', 'The question and its answer need different ids.')
  const question = questionId === null ? null : plainContent(body.message ?? '')
  const sealedQuestion = questionId && question ? sealContent(keys, questionId, question) : null
  const sealedAnswer = sealContent(keys, assistantId, plainContent(''))
  const title =
    question && (body.message ?? '').trim() !== '' ? sealTitle(keys, chat.id, firstWords(question.text)) : null
  const selection = voice.model.selection

  const record: Write = async (trx) => {
    const db = over<ChatTables>(trx)
    const { store } = room
    const fresh = await store.sessions.readIn(db, chat.id, accountId)
    if (!fresh) throw fail('chat_not_found')
    if (queued && !(await store.queue.take(db, chat.id, queued.entryId))) throw new TakenMeanwhile()
    const moved: Partial<SessionRow> = {}
    const base = rowBase(fresh, now, digest)
    if (target.kind === 'continue') {
      await store.messages.updateIn(db, assistantId, { status: 'running', generation_id: runId, finish_reason: null })
      await leadTo(store, db, fresh, target.answer)
      moved.summary_id = await summaryAfter(
        store,
        db,
        fresh,
        target.answer.id,
        fresh.active_leaf_id === target.answer.id,
      )
    } else {
      let parent = target.kind === 'regenerate' ? target.question : target.parent
      // What follows the end of the path follows its end now, wherever it was when this was read.
      if (target.kind === 'question' && !target.sibling) {
        parent = fresh.active_leaf_id ? await store.messages.readIn(db, chat.id, fresh.active_leaf_id) : null
      }
      const grows = (parent?.id ?? null) === fresh.active_leaf_id
      moved.summary_id = await summaryAfter(store, db, fresh, parent?.id ?? null, grows)
      let depth = parent ? parent.depth + 1 : 0
      let path: SessionRow = fresh
      if (questionId && sealedQuestion) {
        const row: MessageRow = {
          ...base,
          id: questionId,
          parent_id: parent?.id ?? null,
          role: 'user',
          status: 'complete',
          depth,
          content: sealedQuestion,
        }
        await appendToPath(store, db, path, row)
        await store.attachments.hold(
          db,
          row.id,
          chat.id,
          attachments.map((attachment) => attachment.id),
        )
        path = { ...path, active_leaf_id: row.id }
        parent = row
        depth += 1
      }
      await appendToPath(store, db, path, {
        ...base,
        id: assistantId,
        parent_id: parent?.id ?? null,
        role: 'assistant',
        status: 'running',
        depth,
        content: sealedAnswer,
        selection: selectionToText(selection),
        generation_id: runId,
      })
    }
    if (fresh.selection === null) moved.selection = selectionToText(selection)
    if (title && fresh.title_source === 'default' && fresh.active_leaf_id === null) moved.title = title
    await store.sessions.updateIn(db, chat.id, {
      ...moved,
      active_leaf_id: assistantId,
      running_generation_id: runId,
      queue_held: 0,
      failed: 0,
      updated_at: now,
    })
    if (questionId && !queued) await store.queue.removeDraft(db, chat.id)
  }

  let run: Run
  try {
    run = await room.generations.start(
      {
        id: runId,
        accountId,
        kind: 'chat',
        scopeId: chat.id,
        subjectId: assistantId,
        baseLength: target.kind === 'continue' ? openContent(keys, target.answer).text.length : 0,
        digest,
        prepare: (signal) =>
          prepareAnswer(
            room,
            keys,
            { chatId: chat.id, accountId, assistantId, voice, body, target: target.kind },
            signal,
          ),
      },
      record,
    )
  } catch (error) {
    const refused = isRefusal(error) && error.code === 'generation_running'
    if (!refused && !isUniqueViolation(error)) throw error
    // Two requests with the same ids at once, or two different ones in one chat: the database let one through.
    const winner = await findRepeat(room, chat, body, digest)
    if (winner) return winner
    throw fail('generation_running')
  }
  await room.changed(accountId, chat.id)
  return {
    run,
    assistantMessageId: assistantId,
    questionId: questionId ?? (target.kind === 'question' ? null : target.questionId),
    asksAnew: questionId !== null,
  }
}

/** An answer is gone on with by the model that began it. */
const ownModel = (target: Target) =>
  target.kind === 'continue' ? (textToSelection(target.answer.selection) ?? undefined) : undefined

/** The run that an equal request with these ids started; `id_reused` when the ids stand for something else. */
const findRepeat = async (room: Room, chat: SessionRow, body: GenerateBody, digest: string): Promise<Asked | null> => {
  const { messages } = room.store
  let answer: MessageRow | null = null
  if (body.assistantMessageId !== undefined) answer = await messages.anyOfId(body.assistantMessageId)
  if (body.userMessageId !== undefined) {
    const question = await messages.anyOfId(body.userMessageId)
    if (question === null && answer !== null) throw fail('id_reused')
    if (question !== null && answer === null) {
      if (question.chat_id !== chat.id) throw fail('id_reused')
      answer = await messages.answerTo(chat.id, question.id, digest)
      if (answer === null) throw fail('id_reused')
    }
  }
  if (answer === null) return null
  if (answer.chat_id !== chat.id || answer.digest !== digest) throw fail('id_reused')
  const run = await room.generations.latestOfSubject(answer.id, chat.account_id)
  if (!run) throw fail('id_reused')
  return {
    run,
    assistantMessageId: answer.id,
    questionId: answer.parent_id,
    asksAnew: body.message !== undefined,
  }
}

const rowBase = (chat: SessionRow, now: number, digest: string) => ({
  chat_id: chat.id,
  account_id: chat.account_id,
  selection: null,
  rating: null,
  finish_reason: null,
  generation_id: null,
  active_child_id: null,
  covers_to_id: null,
  digest,
  created_at: now,
  edited_at: null,
  deleted_at: null,
  trash_id: null,
})

/** The same body with its keys in one order, so that equal requests have equal digests. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, member]) => [key, sorted(member)]))
}

/** Starting an answer: what is asked becomes messages and a run, in one transaction, or nothing at all. */
import type { GenerateBody, SentDocument } from '@atrium/contract/chat'
import { type PreparedAnswer, type Run, type SearchNews, isExcerpts } from '../../../core/generation/index.ts'
import { isUniqueViolation } from '../../../platform/db/index.ts'
import { over } from '../../../platform/db/types.ts'
import { fail, isRefusal } from '../../../platform/http/refusal.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import { findAttachments } from '../attachments.ts'
import { mayCompact, readCompactionConfig } from '../compaction/compaction.ts'
import { type ChatContext, openChat } from '../context.ts'
import { type AnswerInput, planAnswer, prepareAnswer, requireFit } from './prepare.ts'
import { type InsertedTurn, insertTurn } from './record.ts'
import { firstWords } from '../rules.ts'
import { readDocumentScope } from './document-scope.ts'
import type { RetrievalTargets } from './retrieval.ts'
import { openSettings, plainContent, sealContent, sealTitle, textToSelection } from '../stores/rows.ts'
import type { AttachmentRow, ChatTables, MessageRow, SessionRow } from '../tables.ts'
import { type AnswerTarget, hasNewQuestion, readTarget } from './target.ts'
import { type AnswerConfig, estimateMessage } from './turn.ts'
import { resolveAnswerConfig } from './answer-config.ts'

export { QueueEntryTaken } from './record.ts'

export interface StartedAnswer {
  readonly run: Run
  readonly assistantMessageId: string
  /** The question; null for an answer that stands at the root. */
  readonly questionId: string | null
  /** Whether this request made the question. */
  readonly asksAnew: boolean
}

/** A queued prompt that the answer takes with it. */
export interface QueuedPrompt {
  readonly entryId: string
}

/**
 * Starts an answer. Asking twice with the same ids gives the first run; the refusals are those of the contract's
 * `startGeneration`.
 */
export const startAnswer = async (
  context: ChatContext,
  accountId: string,
  chatId: string,
  body: GenerateBody,
  queued?: QueuedPrompt,
): Promise<StartedAnswer> => {
  const { chat, keys } = await openChat(context, chatId, accountId)
  const digest = context.vault.blindIndex('chat.ask', JSON.stringify([chatId, sorted(body)]))
  const before = await findRepeat(context, chat, body, digest)
  if (before) return before
  // An answer is gone on with by the model that began it, so that one has to be read first.
  const reading = readTarget(context, keys, chat, body)
  const speaking = body.continueMessageId === undefined ? null : ownModel(await reading)
  const others = Promise.all([
    resolveAnswerConfig(context, keys, chat, { ...body, modelOverride: body.modelOverride ?? speaking ?? undefined }),
    findAttachments(context, accountId, body.attachmentIds ?? []),
    hasNewQuestion(body) && !queued ? context.store.queue.readDraft(chat.id) : null,
    findPlaces(context, keys, chat, body),
    context.documents.describeDocuments(accountId, chat.id, body.documentIds ?? []),
  ])
  // A request that makes no sense is told so first.
  others.catch(() => undefined)
  const target = await reading
  const [voice, attachments, draft, places, documents] = await others
  const ids = {
    runId: context.clock.id(),
    questionId: target.kind === 'question' ? (body.userMessageId ?? context.clock.id()) : null,
    assistantId: target.kind === 'continue' ? target.answer.id : (body.assistantMessageId ?? context.clock.id()),
  }
  if (ids.questionId === ids.assistantId) throw fail('id_reused', 'The question and its answer need different ids.')
  const source = { target, body, voice, attachments, places, questionId: ids.questionId }
  const expected: InsertedTurn = { chat, parent: target.kind === 'question' ? target.parent : null }
  const material = materialFor(source, expected)
  requireFit(material)
  const early = (await maySpeak(context, keys, chat, source)) ? planAnswer(context, keys, material) : null
  // Whether it failed is looked at where it is used.
  early?.catch(() => undefined)

  let placed = expected
  const recording = { ...source, ...ids, chat, digest, now: context.clock.now(), hasDraft: draft !== null }
  const sealed = seal(keys, chat, { ...recording, documents })
  const prepare = async (signal: AbortSignal, tell: (news: SearchNews) => void): Promise<PreparedAnswer> =>
    early && isAsExpected(placed, expected)
      ? early
      : prepareAnswer(context, keys, materialFor(source, placed), tell, signal)
  let run: Run
  try {
    run = await context.generations.start(
      {
        id: ids.runId,
        accountId,
        kind: 'chat',
        scopeId: chat.id,
        subjectId: ids.assistantId,
        baseLength: target.kind === 'continue' ? target.partial.length : 0,
        digest,
        prepare,
      },
      async (trx) => {
        placed = await insertTurn(context, over<ChatTables>(trx), { ...recording, sealed, entryId: queued?.entryId })
      },
    )
  } catch (error) {
    const refused = isRefusal(error) && error.code === 'generation_running'
    if (!refused && !isUniqueViolation(error)) throw error
    // Two requests with the same ids at once, or two different ones in one chat: the database let one through.
    const winner = await findRepeat(context, chat, body, digest)
    if (winner) return winner
    throw fail('generation_running')
  }
  context.announceChange(accountId, chat.id)
  context.background('the used model could not be remembered', () =>
    context.modelUsed(accountId, voice.model.selection),
  )
  return {
    run,
    assistantMessageId: ids.assistantId,
    questionId: ids.questionId ?? (target.kind === 'question' ? null : (target.question?.row.id ?? null)),
    asksAnew: ids.questionId !== null,
  }
}

const ownModel = (target: AnswerTarget) =>
  target.kind === 'continue' ? textToSelection(target.answer.selection) : null

/** Whether the turn may be planned while its record is still being made: nothing else has to happen before it. */
const maySpeak = async (
  context: ChatContext,
  keys: Keyring,
  chat: SessionRow,
  { target, voice, places }: Source,
): Promise<boolean> =>
  target.kind === 'question' &&
  !target.sibling &&
  places === null &&
  !isExcerpts(voice.model.selection) &&
  !mayCompact(keys, chat, await readCompactionConfig(context))

const isAsExpected = (placed: InsertedTurn, expected: InsertedTurn): boolean =>
  placed.parent?.id === expected.parent?.id && placed.chat.summary_id === expected.chat.summary_id

/** Where a question is looked up. Refuses with `web_search_unavailable`. */
const findPlaces = async (
  context: ChatContext,
  keys: Keyring,
  chat: SessionRow,
  body: GenerateBody,
): Promise<RetrievalTargets | null> => {
  if (body.continueMessageId !== undefined) return null
  const web = body.webSearch === true
  if (web && !(await context.web.allowed(chat.account_id))) throw fail('web_search_unavailable')
  const settings = openSettings(keys, chat)
  const scope = readDocumentScope(chat.id, settings)
  const any = await context.scopes.hasAny(chat.account_id, scope)
  const documents = any ? { scope, full: settings.fullDocumentContext === true } : null
  return documents || web ? { documents, web } : null
}

interface Source {
  readonly target: AnswerTarget
  readonly body: GenerateBody
  readonly voice: AnswerConfig
  readonly attachments: readonly AttachmentRow[]
  readonly places: RetrievalTargets | null
  readonly questionId: string | null
}

const materialFor = (source: Source, { chat, parent }: InsertedTurn): AnswerInput => {
  const { target, voice, body } = source
  const { vision } = voice.model
  const common = { chat, voice, places: source.places, given: [], instruction: body.instruction }
  if (target.kind === 'question') {
    const question = {
      id: source.questionId ?? '',
      parentId: parent?.id ?? null,
      depth: parent ? parent.depth + 1 : 0,
      weighed: estimateMessage('user', body.message ?? '', source.attachments, vision),
    }
    return { ...common, question, partial: null }
  }
  const { question } = target
  return {
    ...common,
    question: question && {
      id: question.row.id,
      parentId: question.row.parent_id,
      depth: question.row.depth,
      weighed: estimateMessage('user', question.text, question.attachments, vision),
    },
    partial: target.kind === 'continue' ? estimateMessage('assistant', target.partial, [], vision) : null,
    given: target.kind === 'continue' ? target.sources : [],
  }
}

const seal = (
  keys: Keyring,
  chat: SessionRow,
  {
    body,
    questionId,
    assistantId,
    documents,
  }: { body: GenerateBody; questionId: string | null; assistantId: string; documents: SentDocument[] },
) => {
  const text = body.message ?? ''
  return {
    question: questionId === null ? null : sealContent(keys, questionId, plainContent(text, documents)),
    answer: sealContent(keys, assistantId, plainContent('')),
    title: questionId !== null && text.trim() !== '' ? sealTitle(keys, chat.id, firstWords(text)) : null,
  }
}

/** The run that an equal request with these ids started; `id_reused` when the ids stand for something else. */
const findRepeat = async (
  context: ChatContext,
  chat: SessionRow,
  body: GenerateBody,
  digest: string,
): Promise<StartedAnswer | null> => {
  const { messages } = context.store
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
  const run = await context.generations.latestOfSubject(answer.id, chat.account_id)
  if (!run) throw fail('id_reused')
  return {
    run,
    assistantMessageId: answer.id,
    questionId: answer.parent_id,
    asksAnew: body.message !== undefined,
  }
}

/** The same body with its keys in one order, so that equal requests have equal digests. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, member]) => [key, sorted(member)]))
}

/** Starting an answer: what is asked becomes messages and a run, in one transaction, or nothing at all. */
import { type Run, isAgent, isExcerpts } from '../../../core/generation/index.ts'
import type { ToolChoice } from '@atrium/contract/generation'
import { isUniqueViolation } from '../../../platform/db/index.ts'
import { inTables } from '../../../platform/db/types.ts'
import { fail, isRefusal } from '../../../platform/http/refusal.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import { findAttachments } from '../attachments.ts'
import { mayCompact } from '../compaction/compaction.ts'
import { type ChatContext, openChat } from '../context.ts'
import { readProjectReach } from '../project-reach.ts'
import { openSettings, textToSelection } from '../stores/rows.ts'
import type { ChatTables, MessageRow, SessionRow } from '../tables.ts'
import { resolveAnswerConfig } from './answer-config.ts'
import { readDocumentScope } from './document-scope.ts'
import { type AskBody, type AskInput, type InsertedTurn, toAnswerInput, withUsable } from './input.ts'
import { makingConfig, makingKind, prepareMaking, requireMaking } from './making.ts'
import { createPictureKeeper } from './pictures.ts'
import { planAnswer, prepareAnswer, requireFit } from './prepare.ts'
import { needsPictureText } from './picture-text.ts'
import { continuedKind, denyWaiting } from './waiting.ts'
import { insertTurn, sealTurn } from './record.ts'
import type { RetrievalTargets } from './retrieval.ts'
import { type AnswerTarget, hasNewQuestion, readTarget } from './target.ts'
import { requireTools, requireToolScope } from './tool-turn.ts'

export { QueueEntryTaken } from './record.ts'

export interface StartedAnswer {
  readonly run: Run
  readonly assistantMessageId: string
  /** The question; null for an answer at the root. */
  readonly questionId: string | null
  /** Whether this request made the question. */
  readonly asksAnew: boolean
}

/** Who asks, where it is not the person at a page. */
export interface AskedBy {
  /** The queued prompt that is sent by this request. */
  readonly queueEntryId?: string | undefined
  readonly unattended?: boolean
  /** Where untrusted text begins in the question, which an event or a webhook brought to an automation. */
  readonly foreignFrom?: number | null
  /** What the answer may cost; null: as much as it does. */
  readonly mostCost?: string | null
  /** A token asks that may not have tools used. */
  readonly withoutTools?: boolean
  /** It goes on with an answer that waited for a decision. */
  readonly resumes?: boolean
  /** No agent may answer: it acts with the rights of the server’s user, and takes all words for those of its person. */
  readonly withoutAgents?: boolean
}

/**
 * Starts an answer. Asking twice with the same ids gives the first run; the refusals are those of the contract's
 * `startGeneration`.
 */
export const startAnswer = async (
  context: ChatContext,
  accountId: string,
  chatId: string,
  body: AskBody,
  {
    queueEntryId,
    unattended = false,
    withoutTools = false,
    resumes = false,
    foreignFrom = null,
    mostCost = null,
    withoutAgents = false,
  }: AskedBy = {},
): Promise<StartedAnswer> => {
  const { chat, keys } = await openChat(context, chatId, accountId)
  const digest = context.vault.blindIndex('chat.ask', JSON.stringify([chatId, sortKeys(body)]))
  const repeat = await findRepeat(context, chat, body, digest)
  if (repeat) return repeat
  const given = { digest, queueEntryId, unattended, withoutTools, resumes, foreignFrom, mostCost }
  const ask = await readAskInput(context, keys, chat, body, given)
  const { target, config } = ask
  if (withoutAgents && isAgent(config.model.selection))
    throw fail('model_unavailable', 'Agents can’t be used in automations. Choose another model.')
  const expected: InsertedTurn = { chat, parent: target.kind === 'question' ? target.parent : null }
  const input = toAnswerInput(ask, expected)
  const { make } = body
  if (!make) requireFit(input)
  if (!resumes) await denyWaiting(context, keys, chat)
  let early =
    !make && !needsPictureText(input) && (await canPlanEarly(context, keys, ask))
      ? planAnswer(context, keys, withUsable(input, ask))
      : null
  // A failure is handled where it is used.
  early?.catch(() => undefined)

  let inserted = expected
  const keepPicture = createPictureKeeper(context, keys, {
    chat,
    messageId: ask.assistantId,
    question: input.question?.text ?? '',
    model: config.model.selection,
  })
  const sealed = sealTurn(keys, ask)
  const change = await context.prepareChange(accountId, chat.id)
  let tries = 0
  let run: Run
  try {
    run = await context.generations.start(
      {
        id: ask.runId,
        accountId,
        kind: make ? makingKind : hasCalls(target) ? continuedKind : 'chat',
        scopeId: chat.id,
        subjectId: ask.assistantId,
        baseLength: target.kind === 'continue' ? target.before.text.length : 0,
        digest,
        prepare: async (signal, report) => {
          const { question } = input
          if (make && question) {
            return prepareMaking(context, keys, { chat, messageId: ask.assistantId, make, question })
          }
          const planned = early
          // Good for one try: when it failed, the next one plans anew.
          early = null
          const prepared =
            planned && isSamePlace(inserted, expected)
              ? await planned
              : await prepareAnswer(context, keys, toAnswerInput(ask, inserted), report, signal)
          return { ...prepared, keepPicture }
        },
      },
      async (trx) => {
        tries += 1
        inserted = await insertTurn(context, inTables<ChatTables>(trx), ask, sealed, tries === 1)
        await change.write(trx)
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
  change.tell(inserted.chat)
  if (!make) {
    context.background('the used model could not be remembered', () =>
      context.modelUsed(accountId, config.model.selection),
    )
  }
  return {
    run,
    assistantMessageId: ask.assistantId,
    questionId: ask.questionId ?? (target.kind === 'question' ? null : (target.question?.row.id ?? null)),
    asksAnew: ask.questionId !== null,
  }
}

/** Reads all that the request names. */
const readAskInput = async (
  context: ChatContext,
  keys: Keyring,
  chat: SessionRow,
  body: AskBody,
  given: Pick<
    AskInput,
    'digest' | 'queueEntryId' | 'unattended' | 'withoutTools' | 'resumes' | 'foreignFrom' | 'mostCost'
  >,
): Promise<AskInput> => {
  const accountId = chat.account_id
  requireMaking(body, chat)
  requireToolScope(body.tools, given.withoutTools ?? false)
  // An answer is continued by the model that began it, so that one has to be read first.
  const reading = readTarget(context, keys, chat, body, given.resumes)
  const begun = body.continueMessageId === undefined ? null : beginningOf(await reading)
  const others = Promise.all([
    body.make
      ? makingConfig(body.make)
      : resolveAnswerConfig(context, keys, chat, {
          ...body,
          modelOverride: body.modelOverride ?? begun?.model ?? undefined,
        }),
    findAttachments(context, accountId, body.attachmentIds ?? []),
    hasNewQuestion(body) && given.queueEntryId === undefined ? context.store.queue.readDraft(chat.id) : null,
    body.make ? null : readTargets(context, keys, chat, body),
    context.documents.describeDocuments(accountId, chat.id, body.documentIds ?? []),
    body.make || given.withoutTools ? { tools: noTools } : chooseTools(context, keys, chat, body, begun?.tools ?? null),
  ])
  // A request that makes no sense is refused for that first.
  others.catch(() => undefined)
  const target = await reading
  const [config, attachments, draft, retrieval, documents, chosen] = await others
  const questionId = target.kind === 'question' ? (body.userMessageId ?? context.clock.id()) : null
  const assistantId = target.kind === 'continue' ? target.answer.id : (body.assistantMessageId ?? context.clock.id())
  if (questionId === assistantId) throw fail('id_reused', 'Use different ids for the question and its answer.')
  return {
    chat,
    body,
    target,
    config,
    attachments,
    documents,
    retrieval,
    runId: context.clock.id(),
    questionId,
    assistantId,
    ...chosen,
    ...given,
    hasDraft: draft !== null,
    now: context.clock.now(),
  }
}

const hasCalls = (target: AnswerTarget): boolean => target.kind === 'continue' && target.before.toolCalls.length > 0

/** What an answer was begun with that is gone on with. */
const beginningOf = (target: AnswerTarget) =>
  target.kind === 'continue' ? { model: textToSelection(target.answer.selection), tools: target.before.tools } : null

/** Whether the turn may be planned while its record is still being made: nothing else has to happen before it. */
const canPlanEarly = async (
  context: ChatContext,
  keys: Keyring,
  { chat, target, config, retrieval }: AskInput,
): Promise<boolean> =>
  target.kind === 'question' &&
  !target.sibling &&
  retrieval === null &&
  !isExcerpts(config.model.selection) &&
  !mayCompact(keys, chat, await context.compaction.values())

const isSamePlace = (inserted: InsertedTurn, expected: InsertedTurn): boolean =>
  inserted.parent?.id === expected.parent?.id && inserted.chat.summary_id === expected.chat.summary_id

/** Where the question is looked up. Refuses with `web_search_unavailable`. */
const readTargets = async (
  context: ChatContext,
  keys: Keyring,
  chat: SessionRow,
  body: AskBody,
): Promise<RetrievalTargets | null> => {
  if (body.continueMessageId !== undefined) return null
  const web = body.webSearch === true
  if (web && !(await context.web.isAllowed(chat.account_id))) throw fail('web_search_unavailable')
  const settings = openSettings(keys, chat)
  const { collectionIds } = await readProjectReach(context, keys, chat)
  const scope = readDocumentScope(chat.id, settings, collectionIds)
  const any = await context.scopes.hasAny(chat.account_id, scope)
  const documents = any ? { scope, full: body.wholeDocuments ?? settings.fullDocumentContext === true } : null
  return documents || web ? { documents, web } : null
}

const noTools: ToolChoice = { choice: 'off' }

/**
 * What the model may call: as the request says, else as the answer was begun, else as the chat is set; and what was read
 * for it. Refuses with `tool_unavailable` what may not be used.
 */
const chooseTools = async (
  context: ChatContext,
  keys: Keyring,
  chat: SessionRow,
  body: AskBody,
  begun: ToolChoice | null,
): Promise<Pick<AskInput, 'tools' | 'usable'>> => {
  const set = openSettings(keys, chat).tools
  // A request can make the chat stricter, and not less strict.
  const askFirst = [...new Set([...(set?.askFirst ?? []), ...(body.tools?.askFirst ?? [])])]
  if (body.tools) {
    const usable = await requireTools(context, chat.account_id, body.tools)
    return { tools: { ...body.tools, askFirst }, usable }
  }
  const { choice, ids } = begun ?? set ?? { choice: 'auto' }
  if (!ids || !context.tools) return { tools: ids ? noTools : { choice, askFirst } }
  // What was chosen earlier may be gone since: the rest of it counts.
  const usable = await context.tools.listUsable(chat.account_id)
  const kept = context.tools.keepUsable(usable, ids)
  return { tools: kept.length === 0 ? noTools : { choice, ids: kept, askFirst }, usable }
}

/** The run that an equal request with these ids started; `id_reused` when the ids belong to something else. */
const findRepeat = async (
  context: ChatContext,
  chat: SessionRow,
  body: AskBody,
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
const sortKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, member]) => [key, sortKeys(member)]),
  )
}

/** What happens between the record of a run and the first word: summary, plan, turn. */
import type { Source } from '@atrium/contract/generation'
import {
  type PreparedAnswer,
  answerReserve,
  chooseWindow,
  estimateTokens,
  isExcerpts,
  messageTokens,
  overflowWords,
  prepareExcerpts,
} from '../../../core/generation/index.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import { compactBeforeReply } from '../compaction/compaction.ts'
import type { ChatContext } from '../context.ts'
import { askModelWithReplays } from './replays.ts'
import { mergeRetrieval } from './retrieval-prompt.ts'
import { instructionPrompt, summaryPreamble } from '../rules.ts'
import {
  type RetrievalTargets,
  type SearchResults,
  type ReportSearch,
  type RetrievalRequest,
  fitPassages,
  retrievePassages,
  reportResults,
  rebuildPrompt,
} from './retrieval.ts'
import { rowToAttachment } from '../stores/rows.ts'
import type { SessionRow } from '../tables.ts'
import { type AnswerConfig, type MessageEstimate, buildTurn, readSummary } from './turn.ts'

/** What an answer is made from. */
export interface AnswerInput {
  /** With the summary that is in force on the path of the question. */
  readonly chat: SessionRow
  readonly voice: AnswerConfig
  readonly question: {
    readonly id: string
    readonly parentId: string | null
    readonly depth: number
    readonly weighed: MessageEstimate
  } | null
  /** The answer that is gone on with. */
  readonly partial: MessageEstimate | null
  /** Sources of its beginning. */
  readonly given: readonly Source[]
  readonly places: RetrievalTargets | null
  readonly instruction: string | undefined
}

/** Refuses with `context_overflow`, before anything is stored, what could not be sent even by itself. */
export const requireFit = (material: AnswerInput): void => {
  const { needed, window } = weighNeeded(material)
  if (needed > window) throw fail('context_overflow', overflowWords(needed, window))
}

/** Tokens that must be sent, with room for the answer, and how many the window holds. */
const weighNeeded = ({ voice, question, partial }: AnswerInput): { needed: number; window: number } => {
  const { tokens: window } = chooseWindow(voice.model, voice.options)
  let needed = (voice.system ? estimateTokens(voice.system) : 0) + answerReserve(window, voice.options)
  for (const message of [question?.weighed, partial]) {
    if (message) needed += message.textTokens + message.attachmentTokens + messageTokens
  }
  return { needed, window }
}

/** What the window has left beside what must be sent and the summary in force. */
const freeTokens = async (context: ChatContext, keys: Keyring, material: AnswerInput): Promise<number> => {
  const { needed, window } = weighNeeded(material)
  const summary = await readSummary(context, keys, material.chat)
  return Math.max(0, window - needed - (summary ? estimateTokens(summaryPreamble(summary.text)) : 0))
}

/** Makes an answer ready to be opened. Throws what the run then ends with. */
export const prepareAnswer = async (
  context: ChatContext,
  keys: Keyring,
  material: AnswerInput,
  tell: ReportSearch,
  signal: AbortSignal,
): Promise<PreparedAnswer> => {
  const { voice, question } = material
  if (isExcerpts(voice.model.selection)) return answerFromFiles(context, keys, material, tell, signal)
  if (!question) return planAnswer(context, keys, material)
  const chat = await compactBeforeReply(context, keys, material.chat, question.id, voice, signal)
  const then = { ...material, chat }
  if (material.given.length > 0) return planAnswer(context, keys, await giveAgain(context, keys, then))
  const wish = wishOf(then)
  if (!wish) return planAnswer(context, keys, then)
  const free = await freeTokens(context, keys, then)
  const { words, tokens, sources, retrieval } = fitPassages(
    await retrievePassages(context, keys, wish, free, tell, signal),
    free,
  )
  const prepared = await planAnswer(context, keys, words === null ? then : withWords(then, words, tokens))
  reportResults(wish.places, { retrieval, context: prepared.plan }, tell)
  return { ...prepared, sources, retrieval }
}

/** What is to be looked up for a question; null when nothing is. Without words there is nothing to look for. */
const wishOf = ({ chat, voice, question, places }: AnswerInput): RetrievalRequest | null => {
  if (!places || !question || question.weighed.text.trim() === '') return null
  return { chat, voice, places, question: question.weighed.text, above: question.parentId }
}

const withWords = (material: AnswerInput, before: string, excerptTokens: number): AnswerInput => {
  const { question } = material
  return question
    ? { ...material, question: { ...question, weighed: { ...question.weighed, before, excerptTokens } } }
    : material
}

/** The passages that the beginning of an answer was given stand before its question again, where there is room. */
const giveAgain = async (context: ChatContext, keys: Keyring, material: AnswerInput): Promise<AnswerInput> => {
  const words = rebuildPrompt(material.given)
  const tokens = words === null ? 0 : estimateTokens(words)
  if (words === null || tokens > (await freeTokens(context, keys, material))) return material
  return withWords(material, words, tokens)
}

/** The same for a language model, without a summary before it. It reads, and changes nothing. */
export const planAnswer = async (
  context: ChatContext,
  keys: Keyring,
  material: AnswerInput,
): Promise<PreparedAnswer> => {
  const { voice, question, partial, instruction } = material
  const { turn, plan } = await buildTurn(context, keys, material.chat, {
    voice,
    needed: [...(question ? [question.weighed] : []), ...(partial ? [partial] : [])],
    above: question?.parentId ? { id: question.parentId, count: question.depth } : null,
    instruction: instruction === undefined ? undefined : instructionPrompt(instruction),
    continues: partial !== null,
  })
  const again = turn.messages.some((message) => 'replay' in message)
  return {
    plan,
    costOf: (tokens) => context.costOf?.(voice.model.selection, tokens) ?? null,
    open: (signal) => (again ? askModelWithReplays(voice.model, turn, signal) : voice.model.ask(turn, signal)),
  }
}

/** Quotes from the text files of the chat, and from what is found in documents and on the web. */
const answerFromFiles = async (
  context: ChatContext,
  keys: Keyring,
  material: AnswerInput,
  tell: ReportSearch,
  signal: AbortSignal,
): Promise<PreparedAnswer> => {
  const { chat, question } = material
  const wish = wishOf(material)
  const searched = wish && (await retrievePassages(context, keys, wish, 0, tell, signal))
  const rows = await context.store.attachments.textsOfChat(chat.id)
  const documents = []
  for (const row of rows) {
    const bytes = await context.files.read(chat.account_id, row.id)
    if (bytes === null) continue
    const { name } = rowToAttachment(keys, row)
    documents.push({ attachmentId: row.id, name, text: Buffer.from(bytes).toString('utf8') })
  }
  const { language } = await context.preferences(chat.account_id)
  const retrieved = searched?.documents?.retrieval ?? null
  const prepared = await prepareExcerpts({
    question: question?.weighed.text ?? '',
    documents,
    ...(searched ? foundIn(searched) : {}),
    language,
  })
  if (!searched) return prepared
  const retrieval = mergeRetrieval(searched.query, retrieved, searched.web, prepared.sources?.length ?? 0, 0)
  reportResults(searched.places, { retrieval, context: null }, tell)
  return { ...prepared, retrieval }
}

const foundIn = ({ documents, web }: SearchResults): { found: Source[]; nearest: string[] } => ({
  found: [...(documents?.items ?? []), ...(web?.items ?? [])].map(({ source }) => source),
  nearest: (documents?.retrieval.nearest ?? []).map(({ name }) => name),
})

/** Between the record of a run and the first words of its answer: summary, retrieval, plan, turn. */
import { askWithin } from './cost-limit.ts'
import {
  type CostOf,
  type PreparedAnswer,
  type UsableModel,
  answerReserve,
  chooseWindow,
  estimateTokens,
  isExcerpts,
  overflowMessage,
  prepareExcerpts,
  countMessageTokens,
} from '../../../core/generation/index.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import { compactBeforeReply } from '../compaction/compaction.ts'
import type { ChatContext } from '../context.ts'
import { summaryPreamble } from '../rules.ts'
import { rowToAttachment } from '../stores/rows.ts'
import { type MessageEstimate, leastTokens, readSummary } from './history.ts'
import type { AnswerInput } from './input.ts'
import { withPictureText } from './picture-text.ts'
import { askModelWithReplays } from './replays.ts'
import { mergeRetrieval } from './retrieval-prompt.ts'
import {
  type ReportSearch,
  type SearchResults,
  fitPassages,
  rebuildPrompt,
  reportResults,
  retrievePassages,
} from './retrieval.ts'
import { countDefinitions, openTools } from './tool-turn.ts'
import { buildTurn } from './turn.ts'

/** Refuses with `context_overflow`, before anything is stored, what could not be sent even by itself. */
export const requireFit = (input: AnswerInput): void => {
  const { needed, window } = estimateNeeded(input, leastTokens)
  if (needed > window) throw fail('context_overflow', overflowMessage(needed, window))
}

/** Tokens that must be sent, with the reserve for the answer, and how many the window holds. */
const estimateNeeded = (
  { config, question, partial }: AnswerInput,
  tokensOf: (message: MessageEstimate) => number,
): { needed: number; window: number } => {
  const { tokens: window } = chooseWindow(config.model, config.options)
  let needed = (config.system ? estimateTokens(config.system) : 0) + answerReserve(window, config.options)
  for (const message of [question, partial]) {
    if (message) needed += tokensOf(message)
  }
  return { needed, window }
}

/** What the window has left beside what must be sent and the summary in force. */
const countFreeTokens = async (context: ChatContext, keys: Keyring, input: AnswerInput): Promise<number> => {
  const { needed, window } = estimateNeeded(input, countMessageTokens)
  const summary = await readSummary(context, keys, input.chat)
  return Math.max(0, window - needed - (summary ? estimateTokens(summaryPreamble(summary.text)) : 0))
}

/** Beside the definitions of tools: what is found must not take the place of what could find more. */
const countRoomForPassages = async (context: ChatContext, keys: Keyring, input: AnswerInput): Promise<number> => {
  const { chat, config, tools } = input
  const toolTokens = tools ? await countDefinitions(context, chat, config, tools.ids) : 0
  return Math.max(0, (await countFreeTokens(context, keys, input)) - toolTokens)
}

/** Makes an answer ready to be opened. Throws what the run then ends with. */
export const prepareAnswer = async (
  context: ChatContext,
  keys: Keyring,
  request: AnswerInput,
  report: ReportSearch,
  signal: AbortSignal,
): Promise<PreparedAnswer> => {
  const { config, question } = request
  if (isExcerpts(config.model.selection)) return quoteFiles(context, keys, request, report, signal)
  if (!question) return planAnswer(context, keys, request)
  const chat = await compactBeforeReply(context, keys, request.chat, question.id, config, signal)
  const compacted = { ...request, chat }
  const input = await withPictureText(context, keys, compacted, await countFreeTokens(context, keys, compacted), signal)
  if (input.sources.length > 0) return planAnswer(context, keys, await repeatExcerpts(context, keys, input))
  const freeTokens = question.retrieval ? await countRoomForPassages(context, keys, input) : 0
  const results = await retrievePassages(context, keys, input, freeTokens, report, signal)
  if (!results) return planAnswer(context, keys, input)
  const { prompt, tokens, sources, retrieval } = fitPassages(results, freeTokens)
  const asked = prompt === null ? input : withExcerpts(input, prompt, tokens)
  const prepared = await planAnswer(context, keys, asked, sources)
  reportResults(results, { retrieval, context: prepared.plan }, report)
  return { ...prepared, sources, retrieval }
}

const withExcerpts = (input: AnswerInput, excerpts: string, excerptTokens: number): AnswerInput =>
  input.question ? { ...input, question: { ...input.question, excerpts, excerptTokens } } : input

/** Sends the excerpts that the beginning of an answer was given with its question again, where they fit. */
const repeatExcerpts = async (context: ChatContext, keys: Keyring, input: AnswerInput): Promise<AnswerInput> => {
  const prompt = rebuildPrompt(input.found)
  const tokens = prompt === null ? 0 : estimateTokens(prompt)
  if (prompt === null || tokens > (await countFreeTokens(context, keys, input))) return input
  return withExcerpts(input, prompt, tokens)
}

/** The same for a language model, without a summary before it. It reads, and changes nothing. */
export const planAnswer = async (
  context: ChatContext,
  keys: Keyring,
  input: AnswerInput,
  sources = input.sources,
): Promise<PreparedAnswer> => {
  const { model } = input.config
  const toolTurn = await openTools(context, keys, input, sources)
  const { turn, plan } = toolTurn ?? (await buildTurn(context, keys, input))
  const costOf: CostOf = (tokens) => context.costOf?.(model.selection, tokens) ?? null
  const askAny: UsableModel['ask'] = (asked, signal) =>
    asked.messages.some((message) => message.role === 'assistant' && message.replay)
      ? askModelWithReplays(model, asked, signal)
      : model.ask(asked, signal)
  const ask = input.mostCost === null ? askAny : askWithin(input.mostCost, costOf, askAny)
  return {
    plan,
    // Those that calls bring come behind them.
    ...(toolTurn && input.sources.length > 0 ? { sources: input.sources } : {}),
    costOf,
    open: (signal) => (toolTurn ? toolTurn.open(ask, signal) : ask(turn, signal)),
  }
}

/** Quotes from the text files of the chat, and from what is found in documents and on the web. */
const quoteFiles = async (
  context: ChatContext,
  keys: Keyring,
  input: AnswerInput,
  report: ReportSearch,
  signal: AbortSignal,
): Promise<PreparedAnswer> => {
  const { chat, question } = input
  const results = await retrievePassages(context, keys, input, 0, report, signal)
  const rows = await context.store.attachments.textsOfChat(chat.id)
  const documents = []
  for (const row of rows) {
    const bytes = await context.files.read(chat.account_id, row.id)
    if (bytes === null) continue
    const { name } = rowToAttachment(keys, row)
    documents.push({ attachmentId: row.id, name, text: Buffer.from(bytes).toString('utf8') })
  }
  const { language } = await context.preferences(chat.account_id)
  const prepared = await prepareExcerpts({
    question: question?.text ?? '',
    documents,
    ...(results ? listSources(results) : {}),
    language,
  })
  if (!results) return prepared
  const { query, documents: passages, web } = results
  const retrieval = mergeRetrieval(query, passages?.retrieval ?? null, web, prepared.sources?.length ?? 0, 0)
  reportResults(results, { retrieval, context: null }, report)
  return { ...prepared, retrieval }
}

const listSources = ({ documents, web }: SearchResults) => ({
  found: [...(documents?.items ?? []), ...(web?.items ?? [])].map(({ source }) => source),
  nearest: (documents?.retrieval.nearest ?? []).map(({ name }) => name),
})

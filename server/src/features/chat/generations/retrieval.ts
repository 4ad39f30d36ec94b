/** Retrieval for a question: documents and the web at once, reported as it goes, fitted into the window. */
import type { Retrieval, Source } from '@atrium/contract/generation'
import type { Documents } from '../../../core/documents/index.ts'
import {
  type AskBriefly,
  type SearchProgress,
  type WebResults,
  askBriefly,
  estimateTokens,
  isAgent,
  isExcerpts,
  sameWindow,
} from '../../../core/generation/index.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import type { ChatContext } from '../context.ts'
import { type PromptExcerpt, excerptPrompt, fitExcerpts, mergeRetrieval, noMatchPrompt } from './retrieval-prompt.ts'
import { openContent, openText } from '../stores/rows.ts'
import type { DocumentScope } from './document-scope.ts'
import type { AnswerInput } from './input.ts'

type Retrieved = Awaited<ReturnType<Documents['retrieve']>>
type Question = Parameters<Documents['retrieve']>[1]

/** Where a question is to be looked up; null where not. */
export interface RetrievalTargets {
  readonly documents: { readonly scope: DocumentScope; readonly full: boolean } | null
  readonly web: boolean
}

export type ReportSearch = (news: SearchProgress) => void

/** What came from both places, before anything is fitted. */
export interface SearchResults {
  readonly targets: RetrievalTargets
  readonly query: string
  readonly documents: Retrieved | null
  readonly web: WebResults | null
}

/** Searches documents and the web at once; null where nothing is to be looked up. `freeTokens`: left for excerpts. */
export const retrievePassages = async (
  context: ChatContext,
  keys: Keyring,
  input: AnswerInput,
  freeTokens: number,
  report: ReportSearch,
  signal: AbortSignal,
): Promise<SearchResults | null> => {
  const { chat, question } = input
  if (!question?.retrieval) return null
  const { documents: inDocuments, web: onWeb } = question.retrieval
  if (inDocuments) report({ status: 'searching', where: 'documents' })
  if (onWeb) report({ status: 'searching', where: 'web' })
  const { history, ask } = await readConversation(context, keys, input, question.parentId)
  const common = { text: question.text, history, ask }
  const [documents, web] = await Promise.all([
    inDocuments && retrieveDocuments(context, chat.account_id, { ...common, ...inDocuments }, freeTokens, signal),
    onWeb
      ? context.web.search(
          chat.account_id,
          { ...common, onReading: () => report({ status: 'reading', where: 'web' }) },
          signal,
        )
      : null,
  ])
  return { targets: question.retrieval, query: question.text, documents, web }
}

/** Whole documents are sent where they fit with their headings; else their passages are, and a note says so. */
const retrieveDocuments = async (
  context: ChatContext,
  accountId: string,
  { full, ...question }: Omit<Question, 'full'> & { readonly full: boolean },
  freeTokens: number,
  signal: AbortSignal,
): Promise<Retrieved> => {
  const maxTokens = Math.min(fullDocumentTokens(context), freeTokens)
  // Files of the chat itself are sent whole, but leave space for the conversation; excerpts quote them.
  const attached = { maxTokens: question.ask === null ? 0 : Math.floor(Math.min(maxTokens, freeTokens * passageShare)) }
  if (question.scope.sessionId !== null)
    await context.documents.waitUntilRead(accountId, question.scope.sessionId, signal)
  // Excerpts are quoted, never whole documents.
  const wanted = full && question.ask !== null ? { maxTokens } : null
  const found = await context.documents.retrieve(accountId, { ...question, full: wanted, attached }, signal)
  const wholes = found.items.filter(({ source }) => source.foundBy === 'whole')
  const budget = wanted && found.retrieval.mode === 'full' ? freeTokens : Math.floor(freeTokens * passageShare)
  if (fitExcerpts({ documents: wholes, web: [] }, budget).length === wholes.length) return found
  if (!wanted || found.retrieval.mode !== 'full') {
    return context.documents.retrieve(accountId, { ...question, full: null, attached: { maxTokens: 0 } }, signal)
  }
  const passages = await context.documents.retrieve(
    accountId,
    { ...question, full: null, attached: { maxTokens: 0 } },
    signal,
  )
  const { notes } = passages.retrieval
  const note = { code: 'full_too_large' as const, count: found.retrieval.tokens, limit: maxTokens }
  return { ...passages, retrieval: { ...passages.retrieval, notes: [note, ...notes] } }
}

/** Documents are sent whole up to this many tokens, where the window has space. */
export const fullDocumentTokens = (context: Pick<ChatContext, 'fullDocumentTokens'>): number =>
  context.fullDocumentTokens ?? defaultFullTokens
const defaultFullTokens = 32_000

/** The text that is sent with the question, and what is stored of the search. */
export interface PassagePrompt {
  /** Sent before the question; null: nothing is. */
  readonly prompt: string | null
  readonly tokens: number
  readonly sources: readonly Source[]
  readonly retrieval: Retrieval
}

/** Passages are never all of a small window: some of it is left to the conversation, whole documents excepted. */
const passageShare = 0.75

/** Numbers the passages that fit, and builds the prompt with them. */
export const fitPassages = ({ documents, web, query }: SearchResults, freeTokens: number): PassagePrompt => {
  const whole = documents?.retrieval.mode === 'full'
  const found = { documents: documents?.items ?? [], web: web?.items ?? [] }
  const items = fitExcerpts(found, whole ? freeTokens : Math.floor(freeTokens * passageShare))
  const dropped = found.documents.length + found.web.length - items.length
  const retrievalWith = (tokens: number): Retrieval => {
    const merged = mergeRetrieval(query, documents?.retrieval ?? null, web, items.length, tokens)
    return dropped === 0
      ? merged
      : { ...merged, notes: [...merged.notes, { code: 'excerpts_dropped', count: dropped }] }
  }
  const missed = documents !== null && documents.retrieval.asked && documents.retrieval.nothingMatched
  const prompt =
    items.length > 0
      ? excerptPrompt(items, missed)
      : retrievalWith(0).nothingMatched
        ? noMatchPrompt(retrievalWith(0))
        : null
  const tokens = prompt === null ? 0 : estimateTokens(prompt)
  return { prompt, tokens, sources: items.map(({ source }) => source), retrieval: retrievalWith(tokens) }
}

/** The same prompt again, for an answer that is continued: from the sources that are stored with it. */
export const rebuildPrompt = (sources: readonly Source[]): string | null => {
  const items = sources.flatMap((source): PromptExcerpt[] =>
    source.number === undefined ? [] : [{ source, text: source.passage }],
  )
  return items.length === 0 ? null : excerptPrompt(items, false)
}

/** Reports the end of the search, once for each place. */
export const reportResults = (
  { targets }: SearchResults,
  data: Pick<SearchProgress, 'retrieval' | 'context'>,
  report: ReportSearch,
): void => {
  if (targets.documents) report({ status: 'done', where: 'documents', ...data })
  if (targets.web) report({ status: 'done', where: 'web', ...data })
}

const historyMessages = 6
const historyChars = 2000

/** The messages before the question, for one that depends on them, and a way to ask the chat's model about it. */
const readConversation = async (
  context: ChatContext,
  keys: Keyring,
  { chat, config: { model, options } }: AnswerInput,
  parentId: string | null,
): Promise<{ history: { role: 'user' | 'assistant'; text: string }[]; ask: AskBriefly | null }> => {
  const rows = parentId === null ? [] : await context.store.messages.upwards(chat.id, parentId, historyMessages)
  const history = rows.toReversed().map((row) => ({
    role: row.role === 'assistant' ? ('assistant' as const) : ('user' as const),
    text: openText(keys, row).slice(0, historyChars),
  }))
  if (isExcerpts(model.selection) || isAgent(model.selection)) return { history, ask: null }
  const newest = rows.find((row) => row.role === 'assistant')
  const plan = newest && model.sizesWindow ? openContent(keys, newest).context : null
  return { history, ask: askBriefly(model, sameWindow(model, options, plan)) }
}

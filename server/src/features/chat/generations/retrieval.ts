/** Looking in documents and on the web on behalf of a question: both at once, told as it goes, fitted into the window. */
import type { Retrieval, Source } from '@atrium/contract/generation'
import type { Documents } from '../../../core/documents/index.ts'
import {
  type AskBriefly,
  type SearchNews,
  type WebResults,
  askBriefly,
  estimateTokens,
  isExcerpts,
  sameWindow,
} from '../../../core/generation/index.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import type { ChatContext } from '../context.ts'
import { type PromptExcerpt, excerptPrompt, fitExcerpts, mergeRetrieval, noMatchPrompt } from './retrieval-prompt.ts'
import { openContent, openText } from '../stores/rows.ts'
import type { DocumentScope } from './document-scope.ts'
import type { SessionRow } from '../tables.ts'
import type { AnswerConfig } from './turn.ts'

type Retrieved = Awaited<ReturnType<Documents['retrieve']>>
type Question = Parameters<Documents['retrieve']>[1]

/** Where a question is to be looked up; null where not. */
export interface RetrievalTargets {
  readonly documents: { readonly scope: DocumentScope; readonly full: boolean } | null
  readonly web: boolean
}

export interface RetrievalRequest {
  readonly chat: SessionRow
  readonly voice: AnswerConfig
  readonly places: RetrievalTargets
  readonly question: string
  /** The message that the question follows. */
  readonly above: string | null
}

export type ReportSearch = (news: SearchNews) => void

/** What came from both places, before anything is fitted. */
export interface SearchResults {
  readonly places: RetrievalTargets
  readonly query: string
  readonly documents: Retrieved | null
  readonly web: WebResults | null
}

/** Searches both places at once. `freeTokens`: what the window has left for passages. */
export const retrievePassages = async (
  context: ChatContext,
  keys: Keyring,
  { chat, voice, places, question, above }: RetrievalRequest,
  freeTokens: number,
  tell: ReportSearch,
  signal: AbortSignal,
): Promise<SearchResults> => {
  if (places.documents) tell({ status: 'searching', where: 'documents' })
  if (places.web) tell({ status: 'searching', where: 'web' })
  const { history, ask } = await readBefore(context, keys, chat, voice, above)
  const common = { text: question, history, ask }
  const [documents, web] = await Promise.all([
    places.documents &&
      lookInDocuments(context, chat.account_id, { ...common, ...places.documents }, freeTokens, signal),
    places.web
      ? context.web.search(
          chat.account_id,
          { ...common, reading: () => tell({ status: 'reading', where: 'web' }) },
          signal,
        )
      : null,
  ])
  return { places, query: question, documents, web }
}

/** Whole documents go as far as they fit with what stands around them; else their passages do, and it is noted. */
const lookInDocuments = async (
  context: ChatContext,
  accountId: string,
  { full, ...question }: Omit<Question, 'full'> & { readonly full: boolean },
  freeTokens: number,
  signal: AbortSignal,
): Promise<Retrieved> => {
  const maxTokens = Math.min(fullDocumentTokens(context), freeTokens)
  // Files of the chat itself go whole by themselves, but leave room to the conversation; excerpts quote them.
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

/** Up to so many tokens documents are sent whole, where the window has room. */
export const fullDocumentTokens = (context: Pick<ChatContext, 'fullDocumentTokens'>): number =>
  context.fullDocumentTokens ?? defaultFullTokens
const defaultFullTokens = 32_000

/** What goes with the question, and what is kept of the search. */
export interface FittedPassages {
  /** Stands before the question; null when nothing does. */
  readonly words: string | null
  readonly tokens: number
  readonly sources: readonly Source[]
  readonly retrieval: Retrieval
}

/** Passages are never all of a small window: some of it is left to the conversation, whole documents excepted. */
const passageShare = 0.75

/** Numbers what fits and puts it into words. */
export const fitPassages = ({ documents, web, query }: SearchResults, freeTokens: number): FittedPassages => {
  const whole = documents?.retrieval.mode === 'full'
  const found = { documents: documents?.items ?? [], web: web?.items ?? [] }
  const items = fitExcerpts(found, whole ? freeTokens : Math.floor(freeTokens * passageShare))
  const dropped = found.documents.length + found.web.length - items.length
  const told = (tokens: number): Retrieval => {
    const merged = mergeRetrieval(query, documents?.retrieval ?? null, web, items.length, tokens)
    return dropped === 0
      ? merged
      : { ...merged, notes: [...merged.notes, { code: 'excerpts_dropped', count: dropped }] }
  }
  const missed = documents !== null && documents.retrieval.asked && documents.retrieval.nothingMatched
  const words = items.length > 0 ? excerptPrompt(items, missed) : told(0).nothingMatched ? noMatchPrompt(told(0)) : null
  const tokens = words === null ? 0 : estimateTokens(words)
  return { words, tokens, sources: items.map(({ source }) => source), retrieval: told(tokens) }
}

/** The same words again, for an answer that is gone on with: from the passages that are kept with it. */
export const rebuildPrompt = (sources: readonly Source[]): string | null => {
  const items = sources.flatMap((source): PromptExcerpt[] =>
    source.number === undefined ? [] : [{ source, text: source.passage }],
  )
  return items.length === 0 ? null : excerptPrompt(items, false)
}

/** Tells how the search ended, once for each place. */
export const reportResults = (
  places: RetrievalTargets,
  told: Pick<SearchNews, 'retrieval' | 'context'>,
  tell: ReportSearch,
): void => {
  if (places.documents) tell({ status: 'done', where: 'documents', ...told })
  if (places.web) tell({ status: 'done', where: 'web', ...told })
}

const messagesBefore = 6
const charsOfMessage = 2000

/** What was said before the question, for one that leans on it, and the way to ask the chat's model about it. */
const readBefore = async (
  context: ChatContext,
  keys: Keyring,
  chat: SessionRow,
  voice: AnswerConfig,
  above: string | null,
): Promise<{ history: { role: 'user' | 'assistant'; text: string }[]; ask: AskBriefly | null }> => {
  const rows = above === null ? [] : await context.store.messages.upwards(chat.id, above, messagesBefore)
  const history = rows.toReversed().map((row) => ({
    role: row.role === 'assistant' ? ('assistant' as const) : ('user' as const),
    text: openText(keys, row).slice(0, charsOfMessage),
  }))
  if (isExcerpts(voice.model.selection)) return { history, ask: null }
  const newest = rows.find((row) => row.role === 'assistant')
  const plan = newest && voice.model.sizesWindow ? openContent(keys, newest).context : null
  return { history, ask: askBriefly(voice.model, sameWindow(voice.model, voice.options, plan)) }
}

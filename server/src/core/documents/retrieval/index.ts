/**
 * Passages for a question: found by words, and by meaning where vectors are switched on, fused, joined with their
 * neighbours, and perhaps put in order by a model. No model is needed, and none that fails is in the way: what was done
 * otherwise than chosen is reported in `notes`.
 */
import type { EmbeddingSettings } from '@atrium/contract/documents'
import type { Retrieval } from '@atrium/contract/generation'
import { estimateTokens } from '../../generation/index.ts'
import { modelKey } from '../embeddings/model-key.ts'
import type { DocumentContext } from '../context.ts'
import type { OpenScope, ScopeTally } from '../stores/index.ts'
import type { RetrievalQuestion, RetrievalResult, SearchScope } from '../types.ts'
import { rerankPassages, rewriteQuestion } from './model-steps.ts'
import { type WholeDocuments, readAttached, readBeginnings } from './attached-documents.ts'
import { findCandidates } from './candidates.ts'
import { isFollowUp } from './follow-up.ts'
import { type PassageExcerpt, pickPassages, textWithHead } from './pick.ts'
import { openCandidates, type ReadableDocument, readWhole, toSource } from './open-passages.ts'
import { markReadBy } from './read-by.ts'
import { openScope } from './scope.ts'

type Notes = Retrieval['notes']

/** Excerpts before they are put into the form of an answer. */
export interface PassageSearchResult {
  readonly mode: 'keyword' | 'hybrid'
  readonly excerpts: readonly PassageExcerpt[]
  readonly documents: ReadonlyMap<string, ReadableDocument>
  /** The best three that did not qualify, when nothing did. */
  readonly nearest: readonly PassageExcerpt[]
  readonly notes: Notes
}

/** Looks so many places deeper than asked for: some candidates are joined, and some give way to other documents. */
const widely = 4
/** So many excerpts a model puts in order. */
const reranked = 12

export const searchPassages = async (
  context: DocumentContext,
  accountId: string,
  question: Pick<RetrievalQuestion, 'text' | 'scope' | 'ask'> & { readonly limit: number },
  settings: EmbeddingSettings,
  signal: AbortSignal,
): Promise<PassageSearchResult> => {
  const { text, scope, limit } = question
  const open = await openScope(context, accountId, scope)
  const { mode, ranked, missed, notes } = await findCandidates(context, open, text, settings, signal)
  const asked = settings.rerank && question.ask ? Math.max(limit, reranked) : limit
  const { ranked: passages, documents } = await openCandidates(
    context,
    accountId,
    scope,
    ranked.slice(0, Math.max(20, asked * widely)),
  )
  const picked = pickPassages(passages, asked)
  if (picked.length === 0) {
    const near = await openCandidates(context, accountId, scope, missed.slice(0, 12))
    const nearest = pickPassages(near.ranked, 3)
    return { mode, excerpts: [], documents: near.documents, nearest, notes }
  }
  if (!settings.rerank || !question.ask || picked.length < 2) {
    return { mode, excerpts: picked.slice(0, limit), documents, nearest: [], notes }
  }
  try {
    const best = picked.slice(0, reranked)
    const order = await rerankPassages(
      question.ask,
      text,
      best.map(({ passages: joined }) => textWithHead(joined)),
      signal,
    )
    const excerpts = [...order.flatMap((at) => best[at] ?? []), ...picked.slice(reranked)].slice(0, limit)
    return { mode, excerpts, documents, nearest: [], notes }
  } catch (error) {
    signal.throwIfAborted()
    // The order by words and vectors stays, and a note says so.
    context.log.warn('Passages could not be put in order by a model.', { error })
    return {
      mode,
      excerpts: picked.slice(0, limit),
      documents,
      nearest: [],
      notes: [...notes, { code: 'rerank_failed' }],
    }
  }
}

export const createRetrieve =
  (context: DocumentContext) =>
  async (accountId: string, question: RetrievalQuestion, signal: AbortSignal): Promise<RetrievalResult> =>
    markReadBy(context, await retrieve(context, accountId, question, signal))

const retrieve = async (
  context: DocumentContext,
  accountId: string,
  question: RetrievalQuestion,
  signal: AbortSignal,
): Promise<RetrievalResult> => {
  const [settings, open] = await Promise.all([
    context.settingsOf(accountId),
    openScope(context, accountId, question.scope),
  ])
  const [tally, asked] = await Promise.all([context.store.scope.tally(open), wasAsked(context, open)])
  const notes: Notes = ingestNotes(tally)
  const common = { query: question.text, documents: tally.completed, asked, nothingMatched: false, nearest: [] }
  const nothing = { ...common, mode: 'none', excerpts: 0, tokens: 0, notes } as const
  if (tally.completed === 0) return { items: [], retrieval: nothing }

  if (question.full) {
    const { maxTokens } = question.full
    if (tally.tokens <= maxTokens) {
      const items = await readWhole(context, accountId, question.scope, signal)
      const tokens = tokensOf(items)
      if (tokens <= maxTokens) {
        return { items, retrieval: { ...nothing, mode: 'full', excerpts: items.length, tokens } }
      }
    }
    notes.push({ code: 'full_too_large', count: tally.tokens, limit: maxTokens })
  }

  const whole = await readAttached(context, accountId, question, signal)
  if (whole && whole.documents === tally.completed) return allWhole(whole, nothing)
  // Documents that are sent whole need not be searched.
  const scope = whole ? { ...question.scope, sessionId: null } : question.scope
  const limit = question.limit ?? settings.maxExcerpts
  let text = await wordAnew(context, question, settings, notes, signal)
  let found = await searchPassages(context, accountId, { ...question, scope, text, limit }, settings, signal)
  if (found.excerpts.length === 0 && text !== question.text) {
    // What the model wrote led nowhere; perhaps the words of the question themselves do.
    text = question.text
    found = await searchPassages(context, accountId, { ...question, scope, limit }, settings, signal)
  }
  if (whole && found.excerpts.length === 0) return allWhole(whole, nothing)
  const passages = found.excerpts.map((excerpt) => ({
    source: toSource(excerpt, found.documents),
    text: textWithHead(excerpt.passages),
  }))
  const items = [
    ...(whole?.items ?? []),
    ...(passages.length > 0 ? passages : await readBeginnings(context, accountId, question, limit)),
  ]
  return {
    items,
    retrieval: {
      ...common,
      mode: found.mode,
      query: text,
      excerpts: items.length,
      tokens: tokensOf(items),
      nothingMatched: items.length === 0,
      nearest: (items.length > 0 ? [] : found.nearest).map((excerpt) => toSource(excerpt, found.documents)),
      notes: [...notes, ...(await vectorNotes(context, open, tally, settings)), ...found.notes],
    },
  }
}

/** The chat's own documents alone, whole. */
const allWhole = ({ items, documents, tokens }: WholeDocuments, nothing: Retrieval): RetrievalResult => ({
  items,
  retrieval: { ...nothing, mode: 'full', documents, excerpts: items.length, tokens },
})

/** How long the reading of a file is waited for before an answer is written without it, in ms. */
const longestWait = 60_000
const pollMs = 250

/** Waits until no document of a chat is being read any more, and goes on without those that take too long. */
export const createWaitUntilRead =
  (context: DocumentContext) =>
  async (accountId: string, sessionId: string, signal: AbortSignal): Promise<void> => {
    const open = await openScope(context, accountId, { sessionId, library: false, collectionIds: [] })
    for (let waited = 0; waited < longestWait; waited += pollMs) {
      signal.throwIfAborted()
      if ((await context.store.scope.tally(open)).processing === 0) return
      await new Promise((resolve) => setTimeout(resolve, pollMs))
    }
  }

/** Whether this scope has any document. */
export const createHasAny =
  (context: DocumentContext) =>
  async (accountId: string, scope: SearchScope): Promise<boolean> => {
    const { completed, processing, failed } = await context.store.scope.tally(
      await openScope(context, accountId, scope),
    )
    return completed + processing + failed > 0
  }

/** The chat has documents of its own, or collections were chosen for it. */
const wasAsked = async (context: DocumentContext, { collectionIds, ...open }: OpenScope): Promise<boolean> => {
  if (collectionIds.length > 0) return true
  if (open.sessionId === null) return false
  const { completed, processing, failed } = await context.store.scope.tally({
    accountId: open.accountId,
    sessionId: open.sessionId,
    library: false,
    collectionIds: [],
    single: [],
  })
  return completed + processing + failed > 0
}

const ingestNotes = ({ processing, failed }: ScopeTally): Notes => [
  ...(processing > 0 ? [{ code: 'documents_processing' as const, count: processing }] : []),
  ...(failed > 0 ? [{ code: 'documents_failed' as const, count: failed }] : []),
]

/** Why some documents of the scope could not be found by vectors. */
export const vectorNotes = async (
  context: DocumentContext,
  open: OpenScope,
  { embeddingPending, embeddingFailed }: ScopeTally,
  settings: EmbeddingSettings,
): Promise<Notes> => {
  if (!settings.enabled) return []
  const other = await context.store.scope.embeddedOtherwise(open, modelKey(settings))
  return [
    ...(embeddingPending > 0 ? [{ code: 'embeddings_pending' as const, count: embeddingPending }] : []),
    ...(embeddingFailed > 0 ? [{ code: 'embeddings_failed' as const, count: embeddingFailed }] : []),
    ...(other > 0 ? [{ code: 'other_embedding_model' as const, count: other }] : []),
  ]
}

/** A follow-up question reworded to be understood by itself; otherwise, and when the model fails, the question as it is. */
const wordAnew = async (
  context: DocumentContext,
  { text, history, ask }: RetrievalQuestion,
  settings: EmbeddingSettings,
  notes: Notes,
  signal: AbortSignal,
): Promise<string> => {
  if (!settings.rewriteQuestions || !ask || history.length === 0 || !isFollowUp(text)) return text
  try {
    return await rewriteQuestion(ask, text, history, signal)
  } catch (error) {
    signal.throwIfAborted()
    // The words of the question itself are searched for, and a note says so.
    context.log.warn('A follow-up question could not be worded anew by a model.', { error })
    notes.push({ code: 'rewrite_failed' })
    return text
  }
}

const tokensOf = (items: readonly { readonly text: string }[]): number =>
  items.reduce((sum, { text }) => sum + estimateTokens(text), 0)

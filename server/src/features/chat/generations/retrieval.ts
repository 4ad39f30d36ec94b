/** Looking in documents and on the web on behalf of a question: both at once, told as it goes, fitted into the window. */
import type { Retrieval, Source } from '@atrium/contract/generation'
import type { Documents } from '../../../core/documents/index.ts'
import {
  type AskBriefly,
  type SearchNews,
  type WebFound,
  askBriefly,
  estimateTokens,
  isExcerpts,
  sameWindow,
} from '../../../core/generation/index.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import type { Room } from '../context.ts'
import { type Excerpt, excerptsWords, fitExcerpts, mergeRetrieval, missWords } from './retrieval-prompt.ts'
import { openContent, openText } from '../stores/rows.ts'
import type { Scope } from './document-scope.ts'
import type { SessionRow } from '../tables.ts'
import type { Voice } from './turn.ts'

type Retrieved = Awaited<ReturnType<Documents['retrieve']>>
type Question = Parameters<Documents['retrieve']>[1]

/** Where a question is to be looked up; null where not. */
export interface Places {
  readonly documents: { readonly scope: Scope; readonly full: boolean } | null
  readonly web: boolean
}

export interface Wish {
  readonly chat: SessionRow
  readonly voice: Voice
  readonly places: Places
  readonly question: string
  /** The message that the question follows. */
  readonly above: string | null
}

export type Tell = (news: SearchNews) => void

/** What came from both places, before anything is fitted. */
export interface Searched {
  readonly places: Places
  readonly query: string
  readonly documents: Retrieved | null
  readonly web: WebFound | null
}

/** Searches both places at once. `freeTokens`: what the window has left for passages. */
export const searchFor = async (
  room: Room,
  keys: Keyring,
  { chat, voice, places, question, above }: Wish,
  freeTokens: number,
  tell: Tell,
  signal: AbortSignal,
): Promise<Searched> => {
  if (places.documents) tell({ status: 'searching', where: 'documents' })
  if (places.web) tell({ status: 'searching', where: 'web' })
  const { history, ask } = await readBefore(room, keys, chat, voice, above)
  const common = { text: question, history, ask }
  const [documents, web] = await Promise.all([
    places.documents && lookInDocuments(room, chat.account_id, { ...common, ...places.documents }, freeTokens, signal),
    places.web
      ? room.web.search(
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
  room: Room,
  accountId: string,
  { full, ...question }: Omit<Question, 'full'> & { readonly full: boolean },
  freeTokens: number,
  signal: AbortSignal,
): Promise<Retrieved> => {
  const maxTokens = Math.min(fullDocumentTokens(room), freeTokens)
  // Files of the chat itself go whole by themselves, but leave room to the conversation; excerpts quote them.
  const attached = { maxTokens: question.ask === null ? 0 : Math.floor(Math.min(maxTokens, freeTokens * shareOfRoom)) }
  if (question.scope.sessionId !== null) await room.documents.settled(accountId, question.scope.sessionId, signal)
  // Excerpts are quoted, never whole documents.
  const wanted = full && question.ask !== null ? { maxTokens } : null
  const found = await room.documents.retrieve(accountId, { ...question, full: wanted, attached }, signal)
  const wholes = found.items.filter(({ source }) => source.foundBy === 'whole')
  const budget = wanted && found.retrieval.mode === 'full' ? freeTokens : Math.floor(freeTokens * shareOfRoom)
  if (fitExcerpts({ documents: wholes, web: [] }, budget).length === wholes.length) return found
  if (!wanted || found.retrieval.mode !== 'full') {
    return room.documents.retrieve(accountId, { ...question, full: null, attached: { maxTokens: 0 } }, signal)
  }
  const passages = await room.documents.retrieve(
    accountId,
    { ...question, full: null, attached: { maxTokens: 0 } },
    signal,
  )
  const { notes } = passages.retrieval
  const note = { code: 'full_too_large' as const, count: found.retrieval.tokens, limit: maxTokens }
  return { ...passages, retrieval: { ...passages.retrieval, notes: [note, ...notes] } }
}

/** Up to so many tokens documents are sent whole, where the window has room. */
export const fullDocumentTokens = (room: Pick<Room, 'fullDocumentTokens'>): number =>
  room.fullDocumentTokens ?? defaultFullTokens
const defaultFullTokens = 32_000

/** What goes with the question, and what is kept of the search. */
export interface Fitted {
  /** Stands before the question; null when nothing does. */
  readonly words: string | null
  readonly tokens: number
  readonly sources: readonly Source[]
  readonly retrieval: Retrieval
}

/** Passages are never all of a small window: some of it is left to the conversation, whole documents excepted. */
const shareOfRoom = 0.75

/** Numbers what fits and puts it into words. */
export const fitFound = ({ documents, web, query }: Searched, freeTokens: number): Fitted => {
  const whole = documents?.retrieval.mode === 'full'
  const found = { documents: documents?.items ?? [], web: web?.items ?? [] }
  const items = fitExcerpts(found, whole ? freeTokens : Math.floor(freeTokens * shareOfRoom))
  const dropped = found.documents.length + found.web.length - items.length
  const told = (tokens: number): Retrieval => {
    const merged = mergeRetrieval(query, documents?.retrieval ?? null, web, items.length, tokens)
    return dropped === 0
      ? merged
      : { ...merged, notes: [...merged.notes, { code: 'excerpts_dropped', count: dropped }] }
  }
  const missed = documents !== null && documents.retrieval.asked && documents.retrieval.nothingMatched
  const words = items.length > 0 ? excerptsWords(items, missed) : told(0).nothingMatched ? missWords(told(0)) : null
  const tokens = words === null ? 0 : estimateTokens(words)
  return { words, tokens, sources: items.map(({ source }) => source), retrieval: told(tokens) }
}

/** The same words again, for an answer that is gone on with: from the passages that are kept with it. */
export const wordsAgain = (sources: readonly Source[]): string | null => {
  const items = sources.flatMap((source): Excerpt[] =>
    source.number === undefined ? [] : [{ source, text: source.passage }],
  )
  return items.length === 0 ? null : excerptsWords(items, false)
}

/** Tells how the search ended, once for each place. */
export const tellFound = (places: Places, told: Pick<SearchNews, 'retrieval' | 'context'>, tell: Tell): void => {
  if (places.documents) tell({ status: 'done', where: 'documents', ...told })
  if (places.web) tell({ status: 'done', where: 'web', ...told })
}

const messagesBefore = 6
const charsOfMessage = 2000

/** What was said before the question, for one that leans on it, and the way to ask the chat's model about it. */
const readBefore = async (
  room: Room,
  keys: Keyring,
  chat: SessionRow,
  voice: Voice,
  above: string | null,
): Promise<{ history: { role: 'user' | 'assistant'; text: string }[]; ask: AskBriefly | null }> => {
  const rows = above === null ? [] : await room.store.messages.upwards(chat.id, above, messagesBefore)
  const history = rows.toReversed().map((row) => ({
    role: row.role === 'assistant' ? ('assistant' as const) : ('user' as const),
    text: openText(keys, row).slice(0, charsOfMessage),
  }))
  if (isExcerpts(voice.model.selection)) return { history, ask: null }
  const newest = rows.find((row) => row.role === 'assistant')
  const plan = newest && voice.model.sizesWindow ? openContent(keys, newest).context : null
  return { history, ask: askBriefly(voice.model, sameWindow(voice.model, voice.options, plan)) }
}

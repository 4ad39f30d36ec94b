/**
 * The documents of a chat itself: people attach a file and ask about it, so it goes whole while it fits, cut only so
 * that answers can cite its pages, and its beginning is given where no passage matched.
 */
import type { Source } from '@atrium/contract/generation'
import type { Segment } from '../../../platform/formats/types.ts'
import { estimateTokens } from '../../generation/index.ts'
import type { DocumentContext } from '../context.ts'
import { chunkId, openName } from '../stores/index.ts'
import type { RetrievalQuestion, SearchScope } from '../types.ts'
import { textWithHead } from './pick.ts'
import { findReadable } from './open-passages.ts'
import { openScope } from './scope.ts'

interface Item {
  readonly source: Source
  readonly text: string
}

/** All text of the chat's own documents. */
export interface WholeDocuments {
  readonly items: readonly Item[]
  readonly documents: number
  readonly tokens: number
}

/** More documents than this are searched by passages. */
const mostDocuments = 50
/** In so many pieces a document is cited at most; a longer one in longer pieces, so that sources stay a list to read. */
const mostPieces = 60
/** So much of each piece is kept to be shown beside an answer. */
const shownChars = 600
/** With how many passages from its beginning a document is shown where nothing matched. */
const beginningPassages = 4

const ofChat = (sessionId: string): SearchScope => ({ sessionId, library: false, collectionIds: [] })

/** The chat's own documents whole, in order of upload; null when there are none, or more than may go. */
export const readAttached = async (
  context: DocumentContext,
  accountId: string,
  { scope, attached }: Pick<RetrievalQuestion, 'scope' | 'attached'>,
  signal: AbortSignal,
): Promise<WholeDocuments | null> => {
  if (!attached || scope.sessionId === null || scope.documentIds) return null
  const chat = ofChat(scope.sessionId)
  const open = await openScope(context, accountId, chat)
  const { completed, tokens } = await context.store.scope.tally(open)
  if (completed === 0 || completed > mostDocuments || tokens > attached.maxTokens) return null
  const rows = await context.store.scope.completedIn(open, mostDocuments)
  const items: Item[] = []
  for (const row of rows) {
    signal.throwIfAborted()
    const text = await context.store.contents.text(row)
    // Asked again after it was read: it may have been removed meanwhile.
    const document = (await findReadable(context, accountId, chat, [row.id])).get(row.id)
    if (!text || !document) continue
    for (const piece of piecesOf(text.content, text.segments))
      items.push(itemOf(row.id, document.name, text.content, piece))
  }
  const sum = items.reduce((all, { text }) => all + estimateTokens(text), 0)
  return items.length === 0 || sum > attached.maxTokens ? null : { items, documents: rows.length, tokens: sum }
}

/** The beginning of the documents that were attached last, for a question that none of their passages matched. */
export const readBeginnings = async (
  context: DocumentContext,
  accountId: string,
  { scope, attached }: Pick<RetrievalQuestion, 'scope' | 'attached'>,
  limit: number,
): Promise<Item[]> => {
  if (!attached || scope.sessionId === null || scope.documentIds) return []
  const chat = ofChat(scope.sessionId)
  const rows = await context.store.scope.completedIn(await openScope(context, accountId, chat), mostDocuments)
  const newest = rows.toReversed().slice(0, Math.max(1, limit))
  const each = Math.max(1, Math.min(beginningPassages, Math.floor(limit / Math.max(1, newest.length))))
  const ids = newest.flatMap(({ id }) => Array.from({ length: each }, (_, index) => chunkId(id, index)))
  const passages = await context.store.contents.passages(ids)
  const documents = await findReadable(
    context,
    accountId,
    chat,
    rows.map(({ id }) => id),
  )
  return passages.flatMap((passage): Item[] => {
    const document = documents.get(passage.documentId)
    if (!document) return []
    const { documentId, index: chunkIndex, start: startChar, end: endChar, location, text } = passage
    const section = location?.kind === 'section' ? location.label : null
    const place = { kind: 'document' as const, documentId, chunkIndex, startChar, endChar, section, location }
    const source: Source = { ...place, name: document.name, passage: text, score: 0, foundBy: 'beginning' }
    return [{ source, text: textWithHead([passage]) }]
  })
}

/** Names and sizes of own documents of a chat, in the order of the ids; what is not there (any more) is left out. */
export const describeDocuments = async (
  context: DocumentContext,
  accountId: string,
  sessionId: string,
  ids: readonly string[],
) => {
  if (ids.length === 0) return []
  const rows = new Map((await context.store.rows.readMany(ids)).map((row) => [row.id, row]))
  const keys = await context.vault.keyring(accountId)
  return [...new Set(ids)].flatMap((id) => {
    const row = rows.get(id)
    if (row?.account_id !== accountId || row.session_id !== sessionId || row.deleted_at !== null) return []
    return [{ id, name: openName(keys, row), sizeBytes: Number(row.size_bytes) }]
  })
}

interface Piece {
  readonly start: number
  readonly end: number
  readonly segment: Segment | null
}

/** Cuts a text where its pages or sections begin; nothing is lost, and there are `mostPieces` at most. Pure. */
const piecesOf = (text: string, segments: readonly Segment[]): Piece[] => {
  const step = Math.max(1, Math.ceil(segments.length / mostPieces))
  const heads = segments.filter((segment, index) => index % step === 0 && segment.start < text.length)
  if (heads.length === 0) return text.trim() === '' ? [] : [{ start: 0, end: text.length, segment: null }]
  return heads
    .map((segment, index) => ({
      start: index === 0 ? 0 : segment.start,
      end: heads[index + 1]?.start ?? text.length,
      segment,
    }))
    .filter(({ start, end }) => text.slice(start, end).trim() !== '')
}

const itemOf = (documentId: string, name: string, content: string, { start, end, segment }: Piece): Item => {
  const text = content.slice(start, end)
  const location = segment && { kind: segment.kind, label: segment.label, number: segment.number }
  const section = segment?.kind === 'section' ? segment.label : null
  const passage = text.length <= shownChars ? text : `${text.slice(0, shownChars).toWellFormed()}…`
  const place = { kind: 'document' as const, documentId, startChar: start, endChar: end, name, section, location }
  return { source: { ...place, passage, score: 1, foundBy: 'whole' }, text }
}

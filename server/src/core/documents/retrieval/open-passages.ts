/** Decrypts passages. Rights are checked again after the reading, so that a grant that ended meanwhile shows nothing. */
import type { Source } from '@atrium/contract/generation'
import type { DocumentContext } from '../context.ts'
import { openName, type OpenScope } from '../stores/index.ts'
import type { DocumentRow } from '../tables.ts'
import type { SearchScope } from '../types.ts'
import type { PassageCandidate } from './candidates.ts'
import { type PassageExcerpt, type RankedPassage, textOf } from './pick.ts'
import { openScope } from './scope.ts'

/** A document that may be read, with its name. */
export interface ReadableDocument {
  readonly row: DocumentRow
  readonly name: string
}

/** Those of the documents that are in the scope now, completed and not deleted. */
export const findReadable = async (
  context: DocumentContext,
  accountId: string,
  scope: SearchScope,
  documentIds: readonly string[],
): Promise<Map<string, ReadableDocument>> => {
  const ids = [...new Set(documentIds)]
  if (ids.length === 0) return new Map()
  const open: OpenScope = { ...(await openScope(context, accountId, scope)), documentIds: ids }
  const found = new Map<string, ReadableDocument>()
  for (const row of await context.store.scope.completedIn(open, ids.length))
    found.set(row.id, { row, name: openName(await context.vault.keyring(row.account_id), row) })
  return found
}

/** Candidates with their passages, in their order; those that are gone or may not be read are left out. */
export const openCandidates = async (
  context: DocumentContext,
  accountId: string,
  scope: SearchScope,
  candidates: readonly PassageCandidate[],
): Promise<{ ranked: RankedPassage[]; documents: Map<string, ReadableDocument> }> => {
  const passages = await context.store.contents.passages(candidates.map(({ id }) => id))
  const documents = await findReadable(
    context,
    accountId,
    scope,
    passages.map(({ documentId }) => documentId),
  )
  const byId = new Map(passages.map((passage) => [passage.id, passage]))
  const ranked = candidates.flatMap(({ id, ...found }) => {
    const passage = byId.get(id)
    return passage && documents.has(passage.documentId) ? [{ ...found, passage }] : []
  })
  return { ranked, documents }
}

export const toSource = (excerpt: PassageExcerpt, documents: ReadonlyMap<string, ReadableDocument>): Source => {
  const [first, last] = [excerpt.passages[0], excerpt.passages.at(-1)]
  const location = first?.location ?? null
  return {
    kind: 'document',
    documentId: excerpt.documentId,
    chunkIndex: excerpt.chunkIndex,
    startChar: first?.start ?? 0,
    endChar: last?.end ?? 0,
    name: documents.get(excerpt.documentId)?.name ?? '',
    section: location?.kind === 'section' ? location.label : null,
    location,
    passage: textOf(excerpt.passages),
    score: excerpt.score,
    foundBy: excerpt.foundBy,
  }
}

/** So much of a whole document is kept to be shown beside an answer. */
const shownChars = 600

/** Every document of a scope, whole, in order of upload. */
export const readWhole = async (
  context: DocumentContext,
  accountId: string,
  scope: SearchScope,
  signal: AbortSignal,
): Promise<{ source: Source; text: string }[]> => {
  const rows = await context.store.scope.completedIn(await openScope(context, accountId, scope), mostWhole)
  const texts = new Map<string, string>()
  for (const row of rows) {
    signal.throwIfAborted()
    const text = await context.store.contents.text(row)
    if (text) texts.set(row.id, text.content)
  }
  const documents = await findReadable(context, accountId, scope, [...texts.keys()])
  return rows.flatMap(({ id }) => {
    const content = texts.get(id)
    const document = documents.get(id)
    if (content === undefined || !document) return []
    return [{ source: wholeSource(id, document.name, content), text: content }]
  })
}

/** More would not fit into any window that whole documents are sent to. */
const mostWhole = 2_000

const wholeSource = (documentId: string, name: string, content: string): Source => ({
  kind: 'document',
  documentId,
  startChar: 0,
  endChar: content.length,
  name,
  section: null,
  location: null,
  passage: content.length <= shownChars ? content : `${content.slice(0, shownChars).toWellFormed()}…`,
  score: 1,
  foundBy: 'whole',
})

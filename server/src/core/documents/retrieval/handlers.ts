/** POST /api/documents/search: passages for a question, as people and programs see them. */
import type { DocumentHit, documentsRoutes } from '@atrium/contract/documents'
import { estimateTokens } from '../../generation/index.ts'
import type { Handlers } from '../../../platform/http/area.ts'
import type { DocumentContext } from '../context.ts'
import type { SearchScope } from '../types.ts'
import { searchPassages, vectorNotes } from './index.ts'
import type { PassageExcerpt } from './pick.ts'
import { textOf } from './pick.ts'
import { type ReadableDocument, toSource } from './open-passages.ts'
import { everyCollection, openScope, requireScope } from './scope.ts'

export const searchHandlers = (context: DocumentContext): Pick<Handlers<typeof documentsRoutes>, 'search'> => ({
  async search({ body }, { caller: { accountId }, signal }) {
    const { query, sessionId = null, collectionIds, documentIds, library, limit } = body
    // Where neither a chat nor collections are named, all that can be reached is meant.
    const everywhere = collectionIds === undefined && sessionId === null && library
    const scope: SearchScope = {
      sessionId,
      library,
      documentIds,
      collectionIds: everywhere ? await everyCollection(context, accountId) : (collectionIds ?? []),
    }
    if (!everywhere) await requireScope(context, accountId, scope)
    const open = await openScope(context, accountId, scope)
    const [settings, tally] = await Promise.all([context.settingsOf(accountId), context.store.scope.tally(open)])
    const found = await searchPassages(context, accountId, { text: query, scope, limit, ask: null }, settings, signal)
    const items = found.excerpts.map((excerpt) => toHit(excerpt, found.documents))
    return {
      items,
      nextCursor: null,
      retrieval: {
        mode: found.mode,
        query,
        documents: tally.completed,
        excerpts: items.length,
        asked: true,
        tokens: items.reduce((sum, { content }) => sum + estimateTokens(content), 0),
        nothingMatched: items.length === 0 && tally.completed > 0,
        nearest: found.nearest.map((excerpt) => toSource(excerpt, found.documents)),
        notes: [
          ...(tally.processing > 0 ? [{ code: 'documents_processing' as const, count: tally.processing }] : []),
          ...(tally.failed > 0 ? [{ code: 'documents_failed' as const, count: tally.failed }] : []),
          ...(await vectorNotes(context, open, tally, settings)),
          ...found.notes,
        ],
      },
    }
  },
})

const toHit = (excerpt: PassageExcerpt, documents: ReadonlyMap<string, ReadableDocument>): DocumentHit => {
  const [first, last] = [excerpt.passages[0], excerpt.passages.at(-1)]
  const document = documents.get(excerpt.documentId)
  return {
    documentId: excerpt.documentId,
    filename: document?.name ?? '',
    fileType: (document?.row.file_type ?? 'txt') as DocumentHit['fileType'],
    chunkIndex: excerpt.chunkIndex,
    startChar: first?.start ?? 0,
    endChar: last?.end ?? 0,
    content: textOf(excerpt.passages),
    location: first?.location ?? null,
    score: excerpt.score,
    foundBy: excerpt.foundBy,
    similarity: excerpt.similarity,
    lexical: excerpt.lexical,
  }
}

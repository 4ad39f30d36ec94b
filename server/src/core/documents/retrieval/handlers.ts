/** POST /api/documents/search: passages for a question, as people and programs see them. */
import type { DocumentHit, documentKnowledge } from '@atrium/contract/document-knowledge'
import { estimateTokens } from '../../generation/index.ts'
import type { Handlers } from '../../../platform/http/area.ts'
import type { Room } from '../context.ts'
import type { Scope } from '../types.ts'
import { search, vectorNotes } from './index.ts'
import type { Excerpt } from './pick.ts'
import { textOf } from './pick.ts'
import { type Readable, toSource } from './open-passages.ts'
import { everyCollection, openScope, requireScope } from './scope.ts'

export const searchHandlers = (room: Room): Pick<Handlers<typeof documentKnowledge>, 'search'> => ({
  async search({ body }, { caller: { accountId }, signal }) {
    const { query, sessionId = null, collectionIds, documentIds, library, limit } = body
    // Where neither a chat nor collections are named, all that can be reached is meant.
    const everywhere = collectionIds === undefined && sessionId === null && library
    const scope: Scope = {
      sessionId,
      library,
      documentIds,
      collectionIds: everywhere ? await everyCollection(room, accountId) : (collectionIds ?? []),
    }
    if (!everywhere) await requireScope(room, accountId, scope)
    const open = await openScope(room, accountId, scope)
    const [settings, tally] = await Promise.all([room.settingsOf(accountId), room.store.scope.tally(open)])
    const found = await search(room, accountId, { text: query, scope, limit, ask: null }, settings, signal)
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
          ...(await vectorNotes(room, open, tally, settings)),
          ...found.notes,
        ],
      },
    }
  },
})

const toHit = (excerpt: Excerpt, documents: ReadonlyMap<string, Readable>): DocumentHit => {
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

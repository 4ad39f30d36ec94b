/** Ranks ids of passages by words and by vectors; nothing is decrypted yet. */
import type { EmbeddingSettings } from '@atrium/contract/documents'
import type { Retrieval } from '@atrium/contract/generation'
import { withQueryPrefix } from '../embeddings/prefixes.ts'
import { modelKey } from '../embeddings/model-key.ts'
import type { DocumentContext } from '../context.ts'
import { isNameId, type OpenScope } from '../stores/index.ts'
import { fuseRankings } from './fuse.ts'
import type { RankedPassage } from './pick.ts'

export interface PassageCandidate extends Omit<RankedPassage, 'passage'> {
  readonly id: string
}

export interface CandidateRanking {
  readonly mode: 'keyword' | 'hybrid'
  /** Those that qualify, best first. */
  readonly ranked: readonly PassageCandidate[]
  /** Those that do not: only kin of a word, or too far in meaning. Their scores are BM25 or cosine. */
  readonly missed: readonly PassageCandidate[]
  readonly notes: Retrieval['notes']
}

/** So many of either ranking are fused. */
const depth = 100
const embedMs = 8_000
/** Of a question that is a whole text, the beginning is enough. */
const mostChars = 8_000

export const findCandidates = async (
  context: DocumentContext,
  scope: OpenScope,
  query: string,
  settings: EmbeddingSettings,
  signal: AbortSignal,
): Promise<CandidateRanking> => {
  const wheres = [
    { partitions: context.store.scope.partitions(scope), groups: scope.documentIds, limit: depth },
    { ...context.store.scope.places(scope), limit: depth },
  ].filter(({ partitions }) => partitions.length > 0)
  const [words, meaning] = await Promise.all([
    searchAll(wheres, (where) => context.indexes.texts.find({ ...where, text: query }), byScore),
    settings.enabled ? embedQuestion(context, scope.accountId, query, settings, signal) : null,
  ])
  const vector = meaning?.vector ?? new Float32Array()
  const near = meaning?.vector
    ? await searchAll(
        wheres,
        (where) => context.indexes.vectors.nearest({ ...where, model: modelKey(settings), vector }),
        (a, b) => b.similarity - a.similarity,
      )
    : []
  const passages = words.filter(({ id }) => !isNameId(id))
  const lexical = new Map(passages.map(({ id, score }) => [id, score]))
  const similarity = new Map(near.map((hit) => [hit.id, hit.similarity]))
  const close = near.filter((hit) => hit.similarity >= settings.similarityThreshold).map(({ id }) => id)
  const whole = passages.filter((hit) => hit.whole).map(({ id }) => id)
  const describe = (
    id: string,
    score: number,
    [byWords, byMeaning]: readonly [boolean, boolean],
  ): PassageCandidate => ({
    id,
    score,
    similarity: similarity.get(id) ?? null,
    lexical: lexical.get(id) ?? null,
    foundBy: byWords && byMeaning ? 'both' : byMeaning ? 'meaning' : 'words',
  })
  const [hasWords, hasMeaning] = [new Set(whole), new Set(close)]
  const fused =
    close.length > 0 ? fuseRankings([whole, close]) : whole.map((id) => ({ id, score: lexical.get(id) ?? 0 }))
  const kin = passages.filter((hit) => !hit.whole && !hasMeaning.has(hit.id)).map(({ id }) => id)
  const far = near.map(({ id }) => id).filter((id) => !hasMeaning.has(id) && !hasWords.has(id))
  return {
    mode: meaning?.vector ? 'hybrid' : 'keyword',
    ranked: fused.map(({ id, score }) => describe(id, score, [hasWords.has(id), hasMeaning.has(id)])),
    missed: fuseRankings([kin, far]).map(({ id }) =>
      describe(id, similarity.get(id) ?? lexical.get(id) ?? 0, [lexical.has(id), similarity.has(id)]),
    ),
    notes: meaning && !meaning.vector ? [{ code: 'embeddings_failed' }] : [],
  }
}

/** Looks in several places and puts what was found into one order. */
const searchAll = async <W, H>(
  wheres: readonly W[],
  find: (where: W) => Promise<readonly H[]>,
  order: (a: H, b: H) => number,
): Promise<readonly H[]> => {
  const found = await Promise.all(wheres.map(find))
  return found.length === 1 ? (found[0] ?? []) : found.flat().toSorted(order).slice(0, depth)
}

const byScore = (a: { readonly score: number }, b: { readonly score: number }): number => b.score - a.score

/** Without a vector words alone find. */
const embedQuestion = async (
  context: DocumentContext,
  accountId: string,
  query: string,
  { providerId, model }: EmbeddingSettings,
  signal: AbortSignal,
): Promise<{ vector: Float32Array | null }> => {
  try {
    const found = await context.capability(accountId, 'embedding', { providerId, model })
    if ('unavailable' in found) return { vector: null }
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(embedMs)])
    const { vectors } = await found.usable.call(
      { input: [withQueryPrefix(model, query.slice(0, mostChars).toWellFormed())] },
      bounded,
    )
    return { vector: vectors[0] ? Float32Array.from(vectors[0]) : null }
  } catch (error) {
    signal.throwIfAborted()
    // Vectors only help; words find without them, and a note says so.
    context.log.warn('A question could not be embedded.', { error })
    return { vector: null }
  }
}

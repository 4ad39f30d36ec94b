/** Which of the ranked passages are given, and neighbours of a document as one. Pure. */
import type { StoredPassage } from '../stores/index.ts'

/** A passage with how it was found. */
export interface RankedPassage {
  readonly passage: StoredPassage
  /** Of the ranking that decides; higher is better. */
  readonly score: number
  readonly foundBy: 'words' | 'meaning' | 'both'
  /** Cosine, where vectors were compared. */
  readonly similarity: number | null
  /** BM25, where words were compared. */
  readonly lexical: number | null
}

/** One or more neighbours in their order. The scores are those of the best. */
export interface PassageExcerpt extends Omit<RankedPassage, 'passage'> {
  readonly documentId: string
  /** Of the best passage in it. */
  readonly chunkIndex: number
  readonly passages: readonly StoredPassage[]
}

/** With every excerpt that a document has already, its next one counts for so much of its score. */
const again = 0.92
const mostJoined = 3
const mostJoinedChars = 6_000

/**
 * At most `limit` excerpts, best first. A passage beside one that was picked already is joined to it when both stand at
 * the same place (page, slide, heading) and takes no place of its own. A document that has some excerpts gives way to
 * others that fit nearly as well.
 */
export const pickPassages = (ranked: readonly RankedPassage[], limit: number): PassageExcerpt[] => {
  const left = [...ranked]
  let picked: PassageExcerpt[] = []
  const taken = new Map<string, number>()
  while (left.length > 0) {
    const next = takeBest(left, taken)
    const beside = picked.filter((excerpt) => touches(excerpt, next.passage))
    const joined = beside.reduce<PassageExcerpt | null>((whole, part) => whole && join(whole, part), toExcerpt(next))
    if (beside.length > 0 && joined) {
      const [first] = beside
      picked = picked.flatMap((excerpt) => (excerpt === first ? [joined] : beside.includes(excerpt) ? [] : [excerpt]))
      continue
    }
    if (picked.length >= limit) break
    picked.push(toExcerpt(next))
    const { documentId } = next.passage
    taken.set(documentId, (taken.get(documentId) ?? 0) + 1)
  }
  return picked
}

const takeBest = (left: RankedPassage[], taken: ReadonlyMap<string, number>): RankedPassage => {
  let best = 0
  let most = Number.NEGATIVE_INFINITY
  for (const [at, { passage, score }] of left.entries()) {
    const worth = score * again ** (taken.get(passage.documentId) ?? 0)
    if (worth <= most) continue
    best = at
    most = worth
  }
  return left.splice(best, 1)[0] as RankedPassage
}

const touches = ({ documentId, passages }: PassageExcerpt, passage: StoredPassage): boolean => {
  const [first, last] = [passages[0], passages.at(-1)]
  return (
    documentId === passage.documentId &&
    (first?.index === passage.index + 1 || last?.index === passage.index - 1) &&
    first?.location?.label === passage.location?.label
  )
}

/** Both as one; null when that would be too much. */
const join = (a: PassageExcerpt, b: PassageExcerpt): PassageExcerpt | null => {
  const passages = [...a.passages, ...b.passages].sort((one, other) => one.index - other.index)
  const [first, last] = [passages[0], passages.at(-1)]
  if (passages.length > mostJoined || (last?.end ?? 0) - (first?.start ?? 0) > mostJoinedChars) return null
  const best = a.score >= b.score ? a : b
  return {
    ...best,
    passages,
    foundBy: a.foundBy === b.foundBy ? a.foundBy : 'both',
    similarity: highest(a.similarity, b.similarity),
    lexical: highest(a.lexical, b.lexical),
  }
}

const highest = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.max(a, b)

const toExcerpt = ({ passage, ...found }: RankedPassage): PassageExcerpt => ({
  ...found,
  documentId: passage.documentId,
  chunkIndex: passage.index,
  passages: [passage],
})

/** The text of neighbours in their order, with what they share only once. */
export const textOf = (passages: readonly StoredPassage[]): string =>
  passages.reduce((whole, passage, at) => {
    const before = passages[at - 1]
    if (!before) return passage.text
    const shared = before.end - passage.start
    if (shared < 0) return `${whole}\n\n${passage.text}`
    // What was cut otherwise than by its place in the text has no part that could be left out.
    return passage.text.length === passage.end - passage.start
      ? whole + passage.text.slice(shared)
      : `${whole}\n${passage.text}`
  }, '')

/** The text with the names of its columns above, for those who see nothing but the passage. */
export const textWithHead = (passages: readonly StoredPassage[]): string => {
  const text = textOf(passages)
  const head = passages[0]?.head ?? null
  return head === null || text.startsWith(head) ? text : `${head}\n${text}`
}

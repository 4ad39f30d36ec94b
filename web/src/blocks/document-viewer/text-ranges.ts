/** Stretches of a document's text: what the page shows in pieces, and where words are found in it. */
import type { DocumentText } from '@atrium/contract/documents'

export interface TextRange {
  readonly start: number
  readonly end: number
}
type Segment = DocumentText['segments'][number]

export interface TextBlock extends TextRange {
  /** The index of the segment that begins here. */
  readonly segment: number | null
}

const usual = 1600
const longest = 4000

/**
 * Cuts a text into blocks of some lines each, so that only those in sight need to be on the page. A block never
 * reaches over the beginning of a segment; a line without an end is cut at a blank.
 */
export function blocksOf(content: string, segments: readonly Segment[]): TextBlock[] {
  const begins = new Map<number, number>()
  for (const [index, segment] of segments.entries())
    if (!begins.has(segment.startChar)) begins.set(segment.startChar, index)
  const borders = [...begins.keys()].filter((at) => at > 0 && at < content.length).sort((a, b) => a - b)
  borders.push(content.length)
  const blocks: TextBlock[] = []
  let start = 0
  for (const border of borders) {
    while (start < border) {
      const end = endOf(content, start, border)
      blocks.push({ start, end, segment: begins.get(start) ?? null })
      start = end
    }
  }
  return blocks
}

function endOf(content: string, start: number, border: number): number {
  if (border - start <= usual) return border
  const line = content.indexOf('\n', start + usual)
  if (line >= 0 && line < Math.min(border, start + longest)) return line + 1
  if (border - start <= longest) return border
  const blank = content.lastIndexOf(' ', start + longest)
  if (blank > start + usual) return blank + 1
  // A pair of surrogates stays whole.
  const cut = start + longest
  return /[\uDC00-\uDFFF]/.test(content[cut] ?? '') ? cut - 1 : cut
}

/** The index of the last item that begins at or before a place; -1 where there is none. */
export function lastBefore<T>(items: readonly T[], place: number, startOf: (item: T) => number): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (startOf(items[middle] as T) <= place) low = middle + 1
    else high = middle
  }
  return low - 1
}

const mostHits = 2000

/** Where a phrase stands, whatever its case and its white space, at most 2,000 times. */
export function findAll(content: string, phrase: string): TextRange[] {
  const words = phrase.trim().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const pattern = new RegExp(words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('\\s+'), 'giu')
  const hits: TextRange[] = []
  for (const match of content.matchAll(pattern)) {
    hits.push({ start: match.index, end: match.index + match[0].length })
    if (hits.length === mostHits) break
  }
  return hits
}

export interface TextPiece {
  readonly text: string
  /** Why it is marked. */
  readonly mark: Mark | null
}
export type Mark = (typeof byWeight)[number]
const byWeight = ['current', 'hit', 'key', 'passage'] as const

/**
 * A block's text in pieces, marked and not. `hits` are in their order; the current hit wins, then hits, then the key
 * sentences of the passage, then the passage.
 */
export function piecesOf(
  content: string,
  block: TextRange,
  passage: TextRange | null,
  hits: readonly TextRange[],
  current: TextRange | null,
  keys: readonly TextRange[] = [],
): TextPiece[] {
  const first = Math.max(
    0,
    lastBefore(hits, block.start, (hit) => hit.start),
  )
  const marks: { start: number; end: number; mark: Mark }[] = []
  for (let at = first; at < hits.length; at++) {
    const hit = hits[at] as TextRange
    if (hit.start >= block.end) break
    if (hit.end > block.start) marks.push({ ...hit, mark: hit === current ? 'current' : 'hit' })
  }
  const isHere = (range: TextRange) => range.start < block.end && range.end > block.start
  for (const key of keys.filter(isHere)) marks.push({ ...key, mark: 'key' })
  if (passage && isHere(passage)) marks.push({ ...passage, mark: 'passage' })
  if (marks.length === 0) return [{ text: content.slice(block.start, block.end), mark: null }]
  const borders = new Set([block.start, block.end])
  for (const mark of marks) {
    borders.add(Math.max(block.start, mark.start))
    borders.add(Math.min(block.end, mark.end))
  }
  const sorted = [...borders].sort((a, b) => a - b)
  return sorted.slice(0, -1).map((start, index) => {
    const end = sorted[index + 1] as number
    const over = marks.filter((mark) => mark.start < end && mark.end > start)
    const mark = byWeight.find((kind) => over.some((one) => one.mark === kind)) ?? null
    return { text: content.slice(start, end), mark }
  })
}

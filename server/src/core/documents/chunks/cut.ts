/**
 * Cuts a text into passages: small enough to be found and quoted, whole enough to be understood. Pure and linear; called
 * where nobody waits for the thread (a worker, or the process that reads files).
 */
import type { SourceLocation } from '@atrium/contract/generation'
import type { Extract, FileType, Segment } from '../../../platform/formats/types.ts'
import { bestEnd, bestStart, isSpace, type TextLayout, skipSpace } from './borders.ts'

export interface Chunk {
  /** From 0, in the order of the text. */
  readonly number: number
  /** `text` is what stands there, without white space around it. */
  readonly start: number
  readonly end: number
  readonly text: string
  /** Of a table: the names of its columns. */
  readonly head: string | null
  readonly location: SourceLocation | null
}

export interface ChunkSize {
  /** Characters (UTF-16 units) at most; default 1000. */
  readonly size: number
  /** Of them, how many may be said again at the start of the next; default 200. At most six tenths of the size count. */
  readonly overlap: number
}

export const defaultChunkSize: ChunkSize = { size: 1_000, overlap: 200 }

/** For a worker, which calls a function with one value. */
export const runCutTask = (
  input: { readonly extract: Extract; readonly fileType: FileType } & Partial<ChunkSize>,
): Chunk[] => cutIntoChunks(input.extract, input.fileType, { ...defaultChunkSize, ...input })

/**
 * Passages never reach from one page, slide, sheet or section into another; every character that is not white space is
 * in one. No passage is longer than `size`, unless a single character is.
 */
export const cutIntoChunks = (extract: Extract, fileType: FileType, { size, overlap }: ChunkSize): Chunk[] => {
  const { text } = extract
  const most = Math.max(1, Math.floor(size))
  const again = Math.max(0, Math.min(Math.floor(overlap), Math.floor(most * 0.6)))
  const chunks: Chunk[] = []
  const lines = fileType === 'code' ? lineStarts(text) : null
  for (const region of regionsOf(extract)) {
    const layout = layoutOf(fileType, region.segment)
    for (const { start, end } of pieces(text, region, layout, most, again)) {
      const location = locationOf(region.segment, lines, start, end)
      const head = region.segment?.head ?? null
      chunks.push({ number: chunks.length, start, end, text: text.slice(start, end), head, location })
    }
  }
  return chunks
}

interface Span {
  readonly start: number
  readonly end: number
}
interface Region extends Span {
  readonly segment: Segment | null
}

/** Each segment and what stands between them; a few tiny ones together where that tells no untruth about the place. */
const regionsOf = ({ text, segments }: Extract): Region[] => {
  const regions: Region[] = []
  let at = 0
  const add = (start: number, end: number, segment: Segment | null): void => {
    if (skipSpace(text, start, end) < end) regions.push({ start, end, segment })
  }
  for (const segment of segments) {
    const start = Math.max(segment.start, at)
    const end = Math.min(segment.end, text.length)
    if (end <= start) continue
    if (start > at) add(at, start, null)
    at = end
    const last = regions.at(-1)
    if (last?.segment && last.end === start && belongTogether(last, last.segment, segment, end)) {
      regions[regions.length - 1] = { ...last, end }
    } else add(start, end, segment)
  }
  if (at < text.length) add(at, text.length, null)
  return regions
}

const tiny = 200

/** A heading with hardly anything under it goes with the first section inside it; short stretches of lines join. */
const belongTogether = (before: Span, first: Segment, next: Segment, end: number): boolean => {
  if (first.kind !== next.kind || first.head !== next.head || before.end - before.start >= tiny) return false
  if (next.kind === 'lines') return end - before.end < tiny
  return next.kind === 'section' && next.label.startsWith(`${first.label} › `)
}

const layoutOf = (fileType: FileType, segment: Segment | null): TextLayout => {
  if (segment?.head !== undefined || fileType === 'csv' || fileType === 'xlsx' || fileType === 'ods') return 'rows'
  return fileType === 'code' || fileType === 'json' ? 'code' : 'prose'
}

function* pieces(text: string, region: Region, layout: TextLayout, size: number, overlap: number): Generator<Span> {
  const ends = (from: number): number =>
    region.end - from <= size
      ? region.end
      : Math.min(region.end, bestEnd(text, from, leastEnd(from, size, overlap), from + size, layout))
  let start = begin(text, region.start, region.end, layout)
  let end = ends(start)
  while (start < region.end) {
    const kept = trimmedEnd(text, start, end)
    if (kept > start) yield { start, end: kept }
    const after = begin(text, end, region.end, layout)
    const again = overlap > 0 ? bestStart(text, start, Math.max(start + 1, end - overlap), end, layout) : end
    // What is said again must lead to something new.
    const next = again < end && after < region.end ? ends(again) : 0
    start = next > after ? again : after
    end = next > after ? next : ends(after)
  }
}

/** Half the size, and so much that the passage brings something new beside what it says again. */
const leastEnd = (start: number, size: number, overlap: number): number =>
  start + Math.max(1, Math.floor(size / 2), overlap + Math.floor(size / 5))

/** The first character worth keeping; in code and rows the line keeps its indentation, up to 200 characters. */
const begin = (text: string, from: number, end: number, layout: TextLayout): number => {
  const at = skipSpace(text, from, end)
  if (layout === 'prose' || at === end) return at
  let line = at
  while (line > from && line > at - deepest && text[line - 1] !== '\n') line--
  return line === from || text[line - 1] === '\n' ? line : at
}

const deepest = 200

const trimmedEnd = (text: string, start: number, end: number): number => {
  let at = end
  while (at > start && isSpace(text.charCodeAt(at - 1))) at--
  return at
}

const locationOf = (
  segment: Segment | null,
  lines: readonly number[] | null,
  start: number,
  end: number,
): SourceLocation | null => {
  if (!segment) return null
  const { kind, number } = segment
  if (kind !== 'lines' || !lines) return { kind, label: segment.label, number }
  const first = lineAt(lines, start)
  const last = lineAt(lines, end - 1)
  return { kind, label: first === last ? `Line ${first}` : `Lines ${first}–${last}`, number }
}

const lineStarts = (text: string): number[] => {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** From 1. */
const lineAt = (starts: readonly number[], at: number): number => {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= at) low = middle
    else high = middle - 1
  }
  return low + 1
}

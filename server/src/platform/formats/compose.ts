/** Puts an extract together, piece by piece. */
import { ReadFault } from './fault.ts'
import { cleanText, oneLine } from './text/clean.ts'
import type { Extract, Segment } from './types.ts'

/** Of one file, all inside it included. */
export const mostText = 24_000_000
const mostSegments = 50_000

export interface Composer {
  readonly length: number
  /** Adds text as it is; with `place`, as a stretch of its own. Pieces are divided by an empty line. Empty ones vanish. */
  add(text: string, place?: Omit<Segment, 'start' | 'end'>): void
  /** Adds another extract behind what there is; `place` says how its stretches are called here. */
  append(extract: Extract, place: (segment: Segment) => Omit<Segment, 'start' | 'end'>): void
  finish(title?: string | null): Extract
}

export const compose = (): Composer => {
  const parts: string[] = []
  const segments: Segment[] = []
  let length = 0
  const push = (text: string): number => {
    if (length > 0) {
      parts.push('\n\n')
      length += 2
    }
    parts.push(text)
    const start = length
    length += text.length
    if (length > mostText || segments.length > mostSegments) throw new ReadFault('too_complex')
    return start
  }
  return {
    get length() {
      return length
    },
    add(text, place) {
      const clean = cleanText(text.replaceAll('\u00ad', '')).replace(/^\n+|\s+$/g, '')
      if (clean.trim() === '') return
      const start = push(clean)
      if (place) segments.push({ ...place, label: oneLine(cleanText(place.label)), start, end: length })
    },
    append(extract, place) {
      if (extract.text.trim() === '') return
      const offset = push(extract.text)
      for (const segment of extract.segments)
        segments.push({ ...place(segment), start: segment.start + offset, end: segment.end + offset })
    },
    finish: (title = null) => ({
      text: parts.join(''),
      segments,
      title: title === null ? null : oneLine(cleanText(title)) || null,
    }),
  }
}

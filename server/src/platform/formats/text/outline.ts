/** Sections by their headings: which stretch of a text stands under which heading. */
import type { Segment } from '../types.ts'
import { oneLine } from './clean.ts'

export interface Heading {
  /** From 1; a deeper one stands inside the last shallower one. */
  readonly depth: number
  readonly title: string
  /** Where it begins in the text. */
  readonly start: number
}

export const maxSegments = 5_000

/** One section from each heading to the next, labelled `Parent › Child`; what stands before the first has none. */
export const sectionsOf = (headings: readonly Heading[], textLength: number): Segment[] => {
  const kept = fewEnough(headings.filter((heading) => heading.title !== ''))
  const open: Heading[] = []
  return kept.map((heading, index) => {
    while (open.length > 0 && (open.at(-1)?.depth ?? 0) >= heading.depth) open.pop()
    open.push(heading)
    return {
      kind: 'section',
      label: labelOf(open),
      number: null,
      start: heading.start,
      end: kept[index + 1]?.start ?? textLength,
    }
  })
}

/** Of more than 5,000 headings the deepest are left out, and then all but every nth. */
export const fewEnough = <T extends { readonly depth: number }>(headings: readonly T[]): readonly T[] => {
  let kept = headings
  for (let depth = 6; depth > 1 && kept.length > maxSegments; depth--) {
    const fewer = kept.filter((heading) => heading.depth < depth)
    // Where nearly all stand at one depth, every nth of them tells more than none.
    if (fewer.length < maxSegments / 50) break
    kept = fewer
  }
  const step = Math.ceil(kept.length / maxSegments)
  return step > 1 ? kept.filter((_, index) => index % step === 0) : kept
}

const labelOf = (open: readonly Heading[]): string => {
  const titles = open.map((heading) => oneLine(heading.title, 80))
  // The nearest heading says most: where all are too long together, the outer ones go.
  while (titles.length > 1 && titles.join(between).length > 200) titles.shift()
  return titles.join(between)
}

const between = ' › '

/** Which stretch of a document's text stands on which page. */
import type { DocumentText } from '@atrium/contract/documents'
import { lastBefore, type TextRange } from './text-ranges.ts'

export interface PageStretch extends TextRange {
  /** The physical page, from 1. */
  readonly page: number
}

/** The pages of a text in their order; a label such as `Page 3` names the physical one. */
export function pagesOf(segments: DocumentText['segments']): PageStretch[] {
  return segments
    .filter((segment) => segment.kind === 'page')
    .map((segment, index) => {
      const named = /\d+/.exec(segment.label)?.[0]
      return { page: named ? Number(named) : index + 1, start: segment.startChar, end: segment.endChar }
    })
}

/** The page that a place in the text stands on; null where nobody knows. */
export function pageAt(pages: readonly PageStretch[], place: number): number | null {
  return pages[lastBefore(pages, place, (page) => page.start)]?.page ?? null
}

/** The words of a passage that stand on one page; all of them where the text knows no pages but the passage's is given. */
export function wordsOn(
  page: number,
  content: string,
  pages: readonly PageStretch[],
  passage: TextRange | null,
  passagePage: number | null,
): string | null {
  if (!passage) return null
  if (pages.length === 0) return page === passagePage ? content.slice(passage.start, passage.end) : null
  const words = pages
    .filter((one) => one.page === page && one.start < passage.end && one.end > passage.start)
    .map((one) => content.slice(Math.max(one.start, passage.start), Math.min(one.end, passage.end)))
    .join(' ')
  return words || null
}

/** How many hits stand before this one on the same page. */
export function placeOnPage(pages: readonly PageStretch[], hits: readonly TextRange[], hit: TextRange): number {
  const page = pages[lastBefore(pages, hit.start, (one) => one.start)]
  if (!page) return 0
  return hits.filter((other) => other.start >= page.start && other.start < hit.start).length
}

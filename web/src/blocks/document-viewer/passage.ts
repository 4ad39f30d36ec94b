/**
 * Finds a passage among the pieces of text that a page is drawn from. The passage was read by another program: white
 * space, hyphens, accents, ligatures and case may differ, and columns may stand in another order.
 */

export interface ItemRange {
  readonly item: number
  /** Offsets in the item's own text. */
  readonly from: number
  readonly to: number
}

interface Squeezed {
  readonly text: string
  /** For each unit of `text`, where in the original it comes from, and where that ends. */
  readonly from: readonly number[]
  readonly to: readonly number[]
}

const ignored = /[\s\p{M}\p{Cf}\p{Cc}\u00ad\-‐‑‒–—]/u

/** Only letters, digits and signs, in one case, without accents and ligatures. */
export function normaliseText(text: string): Squeezed {
  let out = ''
  const from: number[] = []
  const to: number[] = []
  let at = 0
  for (const sign of text) {
    const next = at + sign.length
    for (const part of sign.normalize('NFKD').toLowerCase()) {
      if (ignored.test(part)) continue
      out += part
      for (let unit = 0; unit < part.length; unit++) {
        from.push(at)
        to.push(next)
      }
    }
    at = next
  }
  return { text: out, from, to }
}

export interface PageText {
  readonly items: readonly Squeezed[]
  readonly text: string
  /** Where in `text` each item begins. */
  readonly begins: readonly number[]
}

export function pageTextOf(items: readonly string[]): PageText {
  const squeezed = items.map(normaliseText)
  const begins: number[] = []
  let text = ''
  for (const item of squeezed) {
    begins.push(text.length)
    text += item.text
  }
  return { items: squeezed, text, begins }
}

/** Where a passage stands on a page: as it is, by its beginning and its end, or line by line. Empty where it does not. */
export function findPassage(page: PageText, passage: string): ItemRange[] {
  const wanted = normaliseText(passage).text
  if (wanted.length < 2) return []
  const whole = page.text.indexOf(wanted)
  if (whole >= 0) return rangesOf(page, whole, whole + wanted.length)
  return byEnds(page, wanted) ?? byLines(page, wanted)
}

/** Every place where a phrase stands on a page, each as its ranges. */
export function findPhrases(page: PageText, phrase: string): ItemRange[][] {
  const wanted = normaliseText(phrase).text
  const found: ItemRange[][] = []
  if (wanted.length === 0) return found
  for (let at = page.text.indexOf(wanted); at >= 0; at = page.text.indexOf(wanted, at + wanted.length))
    found.push(rangesOf(page, at, at + wanted.length))
  return found
}

const anchor = 24

function byEnds(page: PageText, wanted: string): ItemRange[] | null {
  if (wanted.length < 2 * anchor) return null
  const start = page.text.indexOf(wanted.slice(0, anchor))
  const end = start < 0 ? -1 : page.text.indexOf(wanted.slice(-anchor), start)
  if (end < 0) return null
  const length = end + anchor - start
  return length > wanted.length * 0.6 && length < wanted.length * 1.5 ? rangesOf(page, start, end + anchor) : null
}

function byLines(page: PageText, wanted: string): ItemRange[] {
  const ranges: ItemRange[] = []
  let covered = 0
  for (const [index, item] of page.items.entries()) {
    if (item.text.length < 6 || !wanted.includes(item.text)) continue
    covered += item.text.length
    ranges.push({ item: index, from: item.from[0] ?? 0, to: item.to.at(-1) ?? 0 })
  }
  return covered >= Math.min(40, wanted.length * 0.3) ? ranges : []
}

function rangesOf(page: PageText, start: number, end: number): ItemRange[] {
  const ranges: ItemRange[] = []
  for (const [index, item] of page.items.entries()) {
    const begin = page.begins[index] ?? 0
    const from = Math.max(start, begin) - begin
    const to = Math.min(end, begin + item.text.length) - begin
    if (to > from) ranges.push({ item: index, from: item.from[from] ?? 0, to: item.to[to - 1] ?? 0 })
  }
  return ranges
}

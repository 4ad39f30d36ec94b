/** The text of one page, in the order in which it was set: lines by their baselines, paragraphs by the space between. */
import type { PDFPageProxy } from 'pdfjs-dist'
import { inReadingOrder } from './line-order.ts'

type TextContent = Awaited<ReturnType<PDFPageProxy['getTextContent']>>
export type TextItem = Extract<TextContent['items'][number], { str: string }>

/** `content` as pdf.js gives it with `disableNormalization`. */
export const pageText = (content: TextContent): string => {
  let text = ''
  let before: TextItem | null = null
  for (const line of linesOf(content)) {
    let broken = line.broken
    for (const item of inReadingOrder(line.items)) {
      const drawn = broken ? 0 : drawnBefore(before, item, text)
      if (before && drawn === 0) text += between(before, item, broken, text)
      text += item.str.slice(drawn)
      if (item.str.trim() !== '') before = item
      broken = false
    }
  }
  return tidy(text)
}

interface Line {
  readonly items: TextItem[]
  /** Whether pdf.js saw the end of a line before it. */
  readonly broken: boolean
}

const linesOf = ({ items }: TextContent): Line[] => {
  const lines: Line[] = []
  let line: Line = { items: [], broken: false }
  let before: TextItem | null = null
  for (const item of items) {
    if (!('str' in item)) continue
    if (item.str !== '') {
      if (before && riseOf(before, item) > 0.6) {
        lines.push(line)
        line = { items: [], broken: false }
      }
      line.items.push(item)
      if (item.str.trim() !== '') before = item
    }
    if (item.hasEOL) {
      lines.push(line)
      line = { items: [], broken: true }
    }
  }
  return [...lines, line]
}

/** How far the baselines of two pieces lie apart, in sizes of the larger one. */
const riseOf = (before: TextItem, item: TextItem): number =>
  Math.abs(positionOf(before).y - positionOf(item).y) / sizeOf(before, item)

/** What stands between two pieces: nothing, a space, the end of a line or of a paragraph. */
const between = (before: TextItem, item: TextItem, broken: boolean, text: string): string => {
  const size = sizeOf(before, item)
  const rise = riseOf(before, item)
  if (rise > 1.9) return '\n\n'
  if (broken || rise > 0.6) return '\n'
  if (/\s$/.test(text) || /^\s/.test(item.str)) return ''
  const { x: from } = positionOf(before)
  const { x: to } = positionOf(item)
  const gap = to >= from ? to - (from + before.width) : from - (to + item.width)
  return gap > size * 0.15 ? ' ' : ''
}

/**
 * How many signs at the start of a piece were drawn before, at the same place: programs without a bold font draw each letter
 * several times, one over the other. `text` ends with what `before` shows.
 */
const drawnBefore = (before: TextItem | null, item: TextItem, text: string): number => {
  if (!before || riseOf(before, item) > 0.1 || !/[\p{L}\p{N}]/u.test(item.str)) return 0
  const over = positionOf(before).x + before.width - positionOf(item).x
  const size = sizeOf(before, item)
  if (over < size * 0.15 || over > item.width + size * 0.1) return 0
  for (let length = item.str.length; length > 0; length -= 1) {
    const taken = (item.width * length) / item.str.length
    const near = length === item.str.length ? 0.1 : 0.4
    if (Math.abs(taken - over) < size * near && text.endsWith(item.str.slice(0, length))) return length
  }
  return 0
}

const positionOf = ({ transform }: TextItem): { x: number; y: number } => ({
  x: Number(transform[4]),
  y: Number(transform[5]),
})
const sizeOf = (before: TextItem, item: TextItem): number => Math.max(heightOf(before), heightOf(item), 1)
const heightOf = ({ height, transform }: TextItem): number =>
  height || Math.hypot(Number(transform[2]), Number(transform[3]))

/**
 * Text is often set in the shapes of its letters, joined ones included; people type the letters. Opened here and not by
 * pdf.js, which opens joined letters of Arabic before it turns them around.
 */
const tidy = (text: string): string =>
  text
    .replaceAll('\ufb05', 'ſt')
    .replace(shapes, (letters) => letters.normalize('NFKC'))
    .replace(setApart, '')
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
const shapes = /[\u00a0\u00b5\u037e\u0eb3\u2000-\u200a\u202f\u2126\ufb00-\ufb06\ufb1d-\ufdff\ufe70-\ufefc]+/g

const sign = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3001\u3002\uff0c\uff0e\uff1a\uff1b]`
/** The space at a single sign of a script that puts none between words: such lines were set sign by sign. */
const setApart = new RegExp(`(?<=(?:^|[^${sign}])${sign}) (?=${sign})|(?<=${sign}) (?=${sign}(?:[^${sign}]|$))`, 'gmv')

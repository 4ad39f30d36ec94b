/** The text of one page, in the order in which it was set: lines by their baselines, paragraphs by the space between. */
import type { PDFPageProxy } from 'pdfjs-dist'

type TextContent = Awaited<ReturnType<PDFPageProxy['getTextContent']>>
type TextItem = Extract<TextContent['items'][number], { str: string }>

export const pageText = ({ items }: TextContent): string => {
  let text = ''
  let before: TextItem | null = null
  let broken = false
  for (const item of items) {
    if (!('str' in item)) continue
    if (item.str !== '') {
      if (before) text += between(before, item, broken, text)
      text += item.str
      if (item.str.trim() !== '') before = item
      broken = false
    }
    if (item.hasEOL) broken = true
  }
  return tidy(text)
}

/** What stands between two pieces: nothing, a space, the end of a line or of a paragraph. */
const between = (before: TextItem, item: TextItem, broken: boolean, text: string): string => {
  const size = Math.max(heightOf(before), heightOf(item), 1)
  const rise = Math.abs(positionOf(before).y - positionOf(item).y)
  if (rise > size * 1.9) return '\n\n'
  if (broken || rise > size * 0.6) return '\n'
  if (/\s$/.test(text) || /^\s/.test(item.str)) return ''
  const { x: from } = positionOf(before)
  const { x: to } = positionOf(item)
  const gap = to >= from ? to - (from + before.width) : from - (to + item.width)
  return gap > size * 0.15 ? ' ' : ''
}

const positionOf = ({ transform }: TextItem): { x: number; y: number } => ({
  x: Number(transform[4]),
  y: Number(transform[5]),
})
const heightOf = ({ height, transform }: TextItem): number =>
  height || Math.hypot(Number(transform[2]), Number(transform[3]))

/** Arabic is often set in the shapes of its letters; people type the letters. (pdf.js does the same to Latin ligatures.) */
const tidy = (text: string): string =>
  text
    .replace(/[\ufb00-\ufb06\ufb50-\ufdff\ufe70-\ufefc]+/g, (shapes) => shapes.normalize('NFKC'))
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

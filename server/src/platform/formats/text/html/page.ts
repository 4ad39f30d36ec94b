/** HTML to text: what a reader of the page sees, its headings as sections, its tables as lines. */
import { type Handler, Parser } from 'htmlparser2'
import { ReadFault } from '../../fault.ts'
import type { Extract } from '../../types.ts'
import { cleanText, oneLine } from '../clean.ts'
import { fewEnough, type Heading, sectionsOf } from '../outline.ts'
import { isUnseen } from './hidden.ts'
import { maxDepth } from './nesting.ts'
import { writePageText } from './page-text.ts'

/** As a stream of tags and text: a tree of 10 MB would take a gigabyte. Throws ReadFault `too_complex` or `no_text`. */
export const pageExtract = (html: string): Extract => {
  const { raw, headings, title } = walk(html, layoutCells(html))
  const { text, sections } = settle(raw, fewEnough(headings))
  if (!/\S/.test(text)) throw new ReadFault('no_text')
  const named = title || headings.find((heading) => heading.depth === 1)?.title || null
  return { text, segments: sectionsOf(sections, text.length), title: named }
}

/** Characters may change when they are cleaned: each section by itself, so that its place stays known. */
const settle = (raw: string, headings: readonly Heading[]): { text: string; sections: Heading[] } => {
  const sections: Heading[] = []
  const parts = [cleanText(raw.slice(0, headings[0]?.start ?? raw.length))]
  let length = parts[0]?.length ?? 0
  for (const [index, heading] of headings.entries()) {
    const part = cleanText(raw.slice(heading.start, headings[index + 1]?.start ?? raw.length))
    sections.push({ ...heading, start: length })
    parts.push(part)
    length += part.length
  }
  return { text: parts.join(''), sections }
}

interface Page {
  readonly raw: string
  readonly headings: Heading[]
  readonly title: string
}

const walk = (html: string, layout: ReadonlySet<number>, depth = 0): Page => {
  const out = writePageText()
  const places: { depth: number; place: { start: number }; title: string[] }[] = []
  const within: (typeof places)[number][] = []
  /** What to do at the end of each open element. */
  const open: ((() => void) | null)[] = []
  /** Of each open list the number of its next item; null where items have none. */
  const lists: (number | null)[] = []
  /** Cells so far, of each open row. */
  const rows: number[] = [0]
  /** The open element that hides what is in it: how many were open before it. */
  let unseenFrom: number | null = null
  let title: string[] | null = null
  let titling = false
  let cells = 0
  let preformatted = 0

  const enterCell = (): (() => void) => {
    if (layout.has(cells - 1)) {
      out.rest(2)
      return () => out.rest(2)
    }
    const before = rows.pop() ?? 0
    rows.push(before + 1)
    if (before > 0) out.verbatim(' |')
    out.text(' ')
    out.flat(true)
    return () => out.flat(false)
  }
  /** A page in the page, as text; what it holds in frames of its own is left out. */
  const sayFrame = (page: string): void => {
    if (depth > 0) return
    out.rest(2)
    out.verbatim(walk(page, layoutCells(page), depth + 1).raw)
    out.rest(2)
  }
  const enter = (name: string, attributes: Readonly<Record<string, string>>): (() => void) | null => {
    if (name === 'br') out.rest(1)
    if (name === 'img') out.text(` ${attributes['alt'] ?? ''} `)
    if (name === 'iframe' && attributes['srcdoc']) sayFrame(attributes['srcdoc'])
    if (name === 'td' || name === 'th') return enterCell()
    if (!blocks.has(name)) return null
    const lines = closeBlocks.has(name) ? 1 : 2
    out.rest(lines)
    if (name === 'ol' || name === 'ul') lists.push(name === 'ol' ? firstNumber(attributes) : null)
    if (name === 'li') out.mark(itemMark(lists, attributes['value']))
    if (name === 'pre') preformatted++
    if (name === 'tr' || name === 'table') rows.push(0)
    const heading = headingName.test(name)
    if (heading) {
      const own = { depth: Number(name[1]), place: out.next(), title: [] }
      within.push(own)
      places.push(own)
    }
    return () => {
      if (heading) within.pop()
      if (name === 'ol' || name === 'ul') lists.pop()
      if (name === 'pre') preformatted--
      if (name === 'tr' || name === 'table') rows.pop()
      out.rest(lines)
    }
  }
  read(html, {
    onopentag(name, attributes) {
      if (open.length >= maxDepth) throw new ReadFault('too_complex')
      if (isCell(name)) cells++
      if (unseenFrom === null) {
        if (name === 'title' && title === null) {
          title = []
          titling = true
        }
        if (isUnseen(name, (attribute) => attributes[attribute])) unseenFrom = open.length
      }
      const framed = name === 'iframe' && unseenFrom === open.length
      open.push(unseenFrom === null || framed ? enter(name, attributes) : null)
    },
    onclosetag() {
      open.pop()?.()
      titling = false
      if (unseenFrom === open.length) unseenFrom = null
    },
    ontext(text) {
      if (titling) title?.push(text)
      if (unseenFrom !== null) return
      if (preformatted > 0) out.verbatim(text)
      else out.text(text)
      within.at(-1)?.title.push(text)
    },
  })
  const raw = out.finish()
  const headings = places.map((one) => ({
    depth: one.depth,
    start: one.place.start,
    title: oneLine(cleanText(one.title.join(''))),
  }))
  return {
    raw,
    headings: headings.filter((one, i) => one.title !== '' && one.start > (headings[i - 1]?.start ?? -1)),
    title: oneLine(cleanText((title ?? []).join(''))),
  }
}

/**
 * Which cells, counted from 0, hold a piece of the page and not a value: with headings, lists, tables or several
 * paragraphs in them.
 */
const layoutCells = (html: string): Set<number> => {
  const found = new Set<number>()
  const open: { readonly cell: number; paragraphs: number }[] = []
  let cells = 0
  read(html, {
    onopentag(name) {
      if (open.length >= maxDepth) throw new ReadFault('too_complex')
      const outer = open.at(-1) ?? { cell: -1, paragraphs: 0 }
      if (outer.cell >= 0) {
        if (name === 'p' || name === 'div') outer.paragraphs++
        if (inLayout.has(name) || outer.paragraphs > 3) found.add(outer.cell)
      }
      open.push(isCell(name) ? { cell: cells++, paragraphs: 0 } : outer)
    },
    onclosetag() {
      open.pop()
    },
  })
  return found
}

const firstNumber = ({ start, type, reversed }: Readonly<Record<string, string>>): number | null =>
  (type === undefined || type === '1') && reversed === undefined ? whole(start, 1) : null

/** `- `, or its number; counts on in the innermost list. */
const itemMark = (lists: (number | null)[], value: string | undefined): string => {
  const next = lists.at(-1) ?? null
  if (next === null) return '- '
  const number = whole(value, next)
  lists[lists.length - 1] = number + 1
  return `${number}. `
}
const whole = (text: string | undefined, otherwise: number): number =>
  /^-?\d{1,9}$/.test(text ?? '') ? Number(text) : otherwise

const read = (html: string, handler: Partial<Handler>): void => new Parser(handler).end(html)

const isCell = (name: string): boolean => name === 'td' || name === 'th'
const headingName = /^h[1-6]$/
const words = (text: string): Set<string> => new Set(text.split(/\s+/))
const inLayout = words('article form h1 h2 h3 h4 h5 h6 main nav ol pre section table ul')
/** On lines of their own, close to one another. */
const closeBlocks = words('li tr dt dd div summary legend figcaption caption address')
const blocks = words(
  `address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer
   form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol p pre search section summary table tr ul`,
)

/** HTML to text: what a reader of the page sees, its headings as sections, its tables as lines. */
import { type CheerioAPI, load } from 'cheerio'
import { ReadFault } from '../../fault.ts'
import type { Extract } from '../../types.ts'
import { cleanText, oneLine } from '../clean.ts'
import { type Heading, sectionsOf } from '../outline.ts'
import { checkDepth } from './depth.ts'
import { isUnseen } from './hidden.ts'
import { writePageText } from './page-text.ts'

type Parent = NonNullable<ReturnType<CheerioAPI['root']>[0]>
type Node = Parent['children'][number]
type Element = Named<Node>
type Named<T> = T extends { attribs: unknown } ? T : never

/** Throws ReadFault `too_complex` or `no_text`. */
export const pageExtract = (html: string): Extract => {
  checkDepth(html)
  const page = load(html)
  const root = page.root()[0]
  const named = oneLine(cleanText(page('title').first().text()))
  const { raw, headings } = root ? walk(root) : { raw: '', headings: [] }
  const { text, sections } = settle(raw, headings)
  if (!/\S/.test(text)) throw new ReadFault('no_text')
  const title = named || headings.find((heading) => heading.depth === 1)?.title || null
  return { text, segments: sectionsOf(sections, text.length), title }
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

/** Without recursion: how deep a page is nested is up to who wrote it. */
const walk = (root: Parent): { raw: string; headings: Heading[] } => {
  const out = writePageText()
  const layout = layoutCells(root)
  const places: { depth: number; place: { start: number }; title: string[] }[] = []
  const within: (typeof places)[number][] = []
  let preformatted = 0
  const work: (Node | (() => void))[] = root.children.toReversed()

  const enter = (element: Element): void => {
    const leave: (() => void)[] = []
    const { name } = element
    if (name === 'br') out.rest(1)
    else if (name === 'img') out.text(` ${element.attribs['alt'] ?? ''} `)
    else if (name === 'td' || name === 'th') enterCell(element, leave)
    else if (blocks.has(name)) {
      const lines = loosely.has(name) ? 1 : 2
      out.rest(lines)
      leave.push(() => out.rest(lines))
    }
    if (name === 'li') out.mark('- ')
    if (name === 'pre') {
      preformatted++
      leave.push(() => preformatted--)
    }
    if (/^h[1-6]$/.test(name)) {
      const own = { depth: Number(name[1]), place: out.next(), title: [] }
      within.push(own)
      places.push(own)
      leave.push(() => within.pop())
    }
    if (leave.length > 0) work.push(() => leave.forEach((step) => step()))
    for (let i = element.children.length - 1; i >= 0; i--) work.push(element.children[i] as Node)
  }
  const enterCell = (element: Element, leave: (() => void)[]): void => {
    if (layout.has(element)) {
      out.rest(2)
      leave.push(() => out.rest(2))
      return
    }
    if (hasCellBefore(element)) out.verbatim(' |')
    out.text(' ')
    out.flat(true)
    leave.push(() => out.flat(false))
  }
  for (let next = work.pop(); next; next = work.pop()) {
    if (typeof next === 'function') next()
    else if (next.type === 'text') {
      if (preformatted > 0) out.verbatim(next.data)
      else out.text(next.data)
      within.at(-1)?.title.push(next.data)
    } else if ('attribs' in next) {
      const { attribs } = next
      if (!isUnseen(next.name, (name) => attribs[name])) enter(next)
    }
  }
  const raw = out.finish()
  const headings = places.map(({ depth, place, title }) => ({
    depth,
    start: place.start,
    title: oneLine(cleanText(title.join(''))),
  }))
  return { raw, headings: headings.filter((one, i) => one.title !== '' && one.start > (headings[i - 1]?.start ?? -1)) }
}

const hasCellBefore = (element: Element): boolean => {
  for (let before = element.prev; before; before = before.prev) {
    if ('attribs' in before && (before.name === 'td' || before.name === 'th')) return true
  }
  return false
}

/** Cells that hold a piece of the page and not a value: with headings, lists, tables or several paragraphs in them. */
const layoutCells = (root: Parent): Set<Node> => {
  const found = new Set<Node>()
  const work: { node: Node; cell: Node | null }[] = root.children.map((node) => ({ node, cell: null }))
  const paragraphs = new Map<Node, number>()
  for (let next = work.pop(); next; next = work.pop()) {
    const { node, cell } = next
    if (!('attribs' in node)) continue
    if (cell && inLayout.has(node.name)) found.add(cell)
    if (cell && (node.name === 'p' || node.name === 'div')) {
      const count = (paragraphs.get(cell) ?? 0) + 1
      paragraphs.set(cell, count)
      if (count > 3) found.add(cell)
    }
    const inner = node.name === 'td' || node.name === 'th' ? node : cell
    for (const child of node.children) work.push({ node: child, cell: inner })
  }
  return found
}

const words = (text: string): Set<string> => new Set(text.split(/\s+/))
const inLayout = words('article form h1 h2 h3 h4 h5 h6 main nav ol pre section table ul')
/** On lines of their own, close to one another. */
const loosely = words('li tr dt dd div summary legend figcaption caption option address')
const blocks = words(
  `address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer
   form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol p pre search section summary table tr ul`,
)

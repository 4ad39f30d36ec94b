/** PowerPoint: slides in the order of the presentation, hidden ones too, with tables, diagrams, charts, notes and comments. */
import { compose } from '../compose.ts'
import { ReadFault } from '../fault.ts'
import type { Reader } from '../reader.ts'
import { childOf, childrenOf, findAll, textOf, type Element } from '../xml.ts'
import { graphicLines, linesOf } from './drawing.ts'
import { openPackage, type OfficePackage } from './package.ts'

const mostSlides = 5_000

export const readPptx: Reader = (bytes, _about, { budget }) => {
  const office = openPackage(bytes, budget, 'ppt/presentation.xml')
  const slides = slideParts(office)
  if (slides.length > mostSlides) throw new ReadFault('too_complex')
  const authors = authorsOf(office)
  const told = new Set<string>()
  const out = compose()
  for (const [index, part] of slides.entries()) {
    const number = index + 1
    out.add(slideText(office, part, told, authors), { kind: 'slide', label: `Slide ${number}`, number })
  }
  return { extract: out.finish(office.title), parts: slides.length }
}

/** Files are numbered as they were made; the presentation says how they follow. */
const slideParts = (office: OfficePackage): string[] => {
  const targets = new Map(office.relations(office.mainPart).map(({ id, target }) => [id, target]))
  const list = childOf(office.xml(office.mainPart) ?? undefined, 'presentation', 'sldIdLst')
  return childrenOf(list, 'sldId').flatMap(({ attributes }) => {
    // `r:id` and `id` have one name without prefixes; the one of relations is no number.
    const target = targets.get(attributes['r:id'] ?? attributes['id'] ?? '')
    return target && office.archive.names.includes(target) ? [target] : []
  })
}

const slideText = (office: OfficePackage, part: string, told: Set<string>, authors: Authors): string => {
  const slide = office.xml(part)
  if (!slide) return ''
  const lines = [...linesOf(slide), ...graphicLines(office, part)]
  for (const { type, target } of office.relations(part)) {
    const related = target === null ? null : type
    if (related === 'notesSlide') lines.push(...notesLines(office.xml(target ?? ''), told))
    else if (related === 'comments') lines.push(...commentLines(office.xml(target ?? ''), authors))
    else if (related === 'slideLayout') lines.push(...masterLines(office, target ?? '', told))
  }
  return lines.join('\n')
}

/** The notes themselves, and once what stands above and below all of them; not the picture of the slide and its number. */
const notesLines = (notes: Element | null, told: Set<string>): string[] => {
  const margins: string[] = []
  const body = (element: Element): Element => ({
    ...element,
    children: element.children.flatMap((child) => {
      const type = child.name === 'sp' ? placeholderOf(child)?.attributes['type'] : undefined
      if (type === 'hdr' || type === 'ftr') margins.push(...linesOf(child))
      return type === undefined || type === 'body' ? [body(child)] : []
    }),
  })
  const lines = notes === null ? [] : linesOf(body(notes))
  const fresh = margins.filter((line) => !told.has(line))
  for (const line of fresh) told.add(line)
  return [...lines, ...fresh]
}

/** What a layout and its master show on every slide; said once, with the first of them. Placeholders only hold hints. */
const masterLines = (office: OfficePackage, part: string, told: Set<string>): string[] => {
  if (told.has(part)) return []
  told.add(part)
  const layout = office.xml(part)
  const own = layout
    ? findAll(layout, 'sp').flatMap((shape) => (placeholderOf(shape) === undefined ? linesOf(shape) : []))
    : []
  const master = office.relations(part).find(({ type }) => type === 'slideMaster')?.target
  return master ? [...own, ...masterLines(office, master, told)] : own
}

const placeholderOf = (shape: Element): Element | undefined => childOf(shape, 'nvSpPr', 'nvPr', 'ph')

type Authors = ReadonlyMap<string, string>
/** Of comments of both kinds: `cmAuthor` and, since 2021, `author`. */
const authorsOf = (office: OfficePackage): Authors =>
  new Map(
    office.relations(office.mainPart).flatMap(({ type, target }) => {
      const list = target !== null && (type === 'commentAuthors' || type === 'authors') ? office.xml(target) : null
      return (list?.children ?? [])
        .flatMap(({ children }) => children)
        .map(({ attributes }) => [attributes['id'] ?? '', attributes['name'] ?? ''] as const)
    }),
  )

const commentLines = (comments: Element | null, authors: Authors): string[] =>
  (comments ? [...findAll(comments, 'cm')] : []).map((comment) => {
    const text = textOf(childOf(comment, 'text')).trim() || linesOf(comment).join(' ')
    const author = authors.get(comment.attributes['authorId'] ?? '')
    return author ? `${author}: ${text}` : text
  })

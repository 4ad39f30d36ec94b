/** PowerPoint: slides in the order of the presentation, hidden ones too, with tables, diagrams, charts and notes. */
import { compose } from '../compose.ts'
import { ReadFault } from '../fault.ts'
import type { Reader } from '../reader.ts'
import { childOf, childrenOf, findAll, textOf, type Element } from '../xml.ts'
import { linesOf } from './drawing.ts'
import { openPackage, type OfficePackage } from './package.ts'

const mostSlides = 5_000

export const readPptx: Reader = (bytes, _about, { budget }) => {
  const office = openPackage(bytes, budget, 'ppt/presentation.xml')
  const slides = slideParts(office)
  if (slides.length > mostSlides) throw new ReadFault('too_complex')
  const out = compose()
  for (const [index, part] of slides.entries()) {
    const number = index + 1
    out.add(slideText(office, part), { kind: 'slide', label: `Slide ${number}`, number })
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

const slideText = (office: OfficePackage, part: string): string => {
  const slide = office.xml(part)
  if (!slide) return ''
  const lines = [...linesOf(slide)]
  for (const { type, target } of office.relations(part)) {
    const related = target === null || !told.has(type) ? null : office.xml(target)
    if (!related) continue
    if (type === 'notesSlide') lines.push(...notesLines(related))
    else if (type === 'chart') lines.push(...chartLines(related))
    else lines.push(...linesOf(related))
  }
  return lines.join('\n')
}
const told = new Set(['notesSlide', 'chart', 'diagramData'])

/** The notes themselves; the picture of the slide and the page number beside them are no text of the author. */
const notesLines = (notes: Element): string[] =>
  findAll(notes, 'sp').flatMap((shape) => {
    const type = childOf(shape, 'nvSpPr', 'nvPr', 'ph')?.attributes['type']
    return type === 'body' || type === undefined ? linesOf(shape) : []
  })

/** Titles and names of a chart, and the values it was drawn from, each once. */
const chartLines = (chart: Element): string[] => {
  const values = ['tx', 'cat', 'val'].flatMap((name) =>
    findAll(chart, name).map((part) => findAll(part, 'v').map(textOf).join('\t')),
  )
  return [...new Set([...linesOf(chart), ...values])].filter((line) => line.trim() !== '')
}

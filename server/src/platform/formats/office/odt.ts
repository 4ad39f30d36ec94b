/** OpenDocument texts: headings as sections, lists, tables, notes, objects, headers and footers. */
import { compose } from '../compose.ts'
import type { Reader } from '../reader.ts'
import { sectionsOf, type Heading } from '../text/outline.ts'
import { cleanText, oneLine } from '../text/clean.ts'
import type { Element } from '../xml.ts'
import { lineOf, linesOf, marginsOf, openOpenDocument, remarkLines } from './odf.ts'
import { withNumbers } from './odf-numbering.ts'

export const readOdt: Reader = (bytes, _about, { budget }) => {
  const { body: counted, lists, styles, title, objectLines } = openOpenDocument(bytes, budget, 'text')
  const body = withNumbers(counted, lists)
  const out = compose()
  out.add(marginsOf(styles, 'header'))
  const headings: Heading[] = []
  for (const block of blocksOf(body)) {
    if (block.name === 'h') {
      const line = cleanText(lineOf(block)).trim()
      const before = out.length
      out.add(line)
      // Two characters divide it from what came before.
      if (line !== '')
        headings.push({
          depth: Number(block.attributes['outline-level'] ?? 1),
          title: oneLine(line),
          start: before && before + 2,
        })
    } else out.add(linesOf({ ...block, name: '', children: [block] }).join('\n'))
  }
  out.add(objectLines(body).join('\n'))
  out.add(remarkLines(body).join('\n'))
  out.add(marginsOf(styles, 'footer'))
  const extract = out.finish(title ?? headings.find(({ depth }) => depth === 1)?.title ?? null)
  return { extract: { ...extract, segments: sectionsOf(headings, extract.text.length) } }
}

/** Parts of a text that only group others are passed through, and lists that number headings. */
const blocksOf = (element: Element): Element[] =>
  element.children.flatMap((child) => {
    const groups = ['section', 'index-body', 'table-of-content', 'span'].includes(child.name)
    return groups || (inList.has(child.name) && holdsHeading(child)) ? blocksOf(child) : [child]
  })
const inList = new Set(['list', 'list-item', 'list-header'])

const holdsHeading = ({ children }: Element): boolean =>
  children.some((child) => child.name === 'h' || (inList.has(child.name) && holdsHeading(child)))

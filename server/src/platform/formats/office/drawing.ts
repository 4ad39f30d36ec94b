/** Text of DrawingML: paragraphs, tables, diagrams and charts (ECMA-376, part 1, 20 and 21). */
import { childrenOf, findAll, textOf, type Element } from '../xml.ts'
import type { OfficePackage } from './package.ts'

/** Lines in reading order; the cells of a row of a table share a line. */
export const linesOf = (element: Element): string[] => {
  const lines: string[] = []
  collect(element, lines)
  return lines
}

const collect = (element: Element, lines: string[]): void => {
  for (const child of element.children) {
    if (child.name === 'tbl') {
      for (const row of childrenOf(child, 'tr')) {
        const cells = childrenOf(row, 'tc').map((cell) => linesOf(cell).join(' '))
        if (cells.some((cell) => cell !== '')) lines.push(cells.join('\t').trimEnd())
      }
    } else if (child.name === 'p') {
      const line = paragraphText(child).trim()
      if (line !== '') lines.push(line)
      collectBoxes(child, lines)
    } else if (child.name === 'AlternateContent') {
      // The same thing twice, for newer and for older programs.
      const choice = child.children.find(({ name }) => name === 'Choice' || name === 'Fallback')
      if (choice) collect(choice, lines)
    } else collect(child, lines)
  }
}

/** Text boxes that hang on a paragraph of Word. */
const collectBoxes = (paragraph: Element, lines: string[]): void => {
  for (const child of paragraph.children) {
    if (child.name === 'txbxContent') collect(child, lines)
    else if (child.name === 'AlternateContent') {
      const choice = childrenOf(child, 'Choice')[0] ?? childrenOf(child, 'Fallback')[0]
      if (choice) collectBoxes(choice, lines)
    } else if (child.name !== '#text') collectBoxes(child, lines)
  }
}

const paragraphText = (paragraph: Element): string =>
  paragraph.children
    .map((child) => {
      if (child.name === 'br') return '\n'
      if (child.name === 'tab') return '\t'
      if (child.name === 'r' || child.name === 'fld') return textOf(child.children.find(({ name }) => name === 't'))
      // Formulas and the like.
      return child.name.endsWith('Pr') ? '' : textOf(child)
    })
    .join('')

/** Lines of the charts and diagrams that a part shows, in the order in which it names them. */
export const graphicLines = (office: OfficePackage, part: string): string[] =>
  office.relations(part).flatMap(({ type, target }) => {
    const graphic = target !== null && (type === 'chart' || type === 'diagramData') ? office.xml(target) : null
    if (!graphic) return []
    return type === 'chart' ? chartLines(graphic) : linesOf(graphic)
  })

/** Titles and names of a chart, and the values it was drawn from, each once. */
const chartLines = (chart: Element): string[] => {
  const values = ['tx', 'cat', 'val'].flatMap((name) =>
    findAll(chart, name).map((part) => findAll(part, 'v').map(textOf).join('\t')),
  )
  return [...new Set([...linesOf(chart), ...values])].filter((line) => line.trim() !== '')
}

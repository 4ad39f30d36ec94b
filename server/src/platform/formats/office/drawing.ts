/** Text of DrawingML: paragraphs, tables, diagrams and charts (ECMA-376, part 1, 20 and 21). */
import { childrenOf, textOf, type Element } from '../xml.ts'

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
    } else if (child.name === 'AlternateContent') {
      // The same thing twice, for newer and for older programs.
      const choice = child.children.find(({ name }) => name === 'Choice' || name === 'Fallback')
      if (choice) collect(choice, lines)
    } else collect(child, lines)
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

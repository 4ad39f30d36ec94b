/** A sheet as text: a row a line, cells divided by tabs, empty rows and columns left out. */
import { mostText } from '../compose.ts'
import { ReadFault } from '../fault.ts'

/** Throws ReadFault `too_complex` when the text outgrows what one file may hold beside `already`. */
export const tableText = (
  rows: Iterable<readonly string[]>,
  already: number,
): { readonly text: string; readonly head: string | null } => {
  const lines: string[] = []
  let length = already
  let head: string | null = null
  let first: number | null = null
  for (const row of rows) {
    const cells = row.map((cell) => (/[\t\n\r]/.test(cell) ? cell.replace(/\s*[\t\n\r]+\s*/g, ' ') : cell).trim())
    const start = cells.findIndex((cell) => cell !== '')
    if (start < 0) continue
    // Sheets that begin in column C are not to begin with two tabs in every line.
    first ??= start
    const line = cells.slice(Math.min(first, start)).join('\t').trimEnd()
    head ??= headOf(cells, line)
    lines.push(line)
    length += line.length + 1
    if (length > mostText) throw new ReadFault('too_complex')
  }
  return { text: lines.join('\n'), head }
}

/** The first row names the columns when it has several cells and none of them is a number. */
const headOf = (cells: readonly string[], line: string): string => {
  const filled = cells.filter((cell) => cell !== '')
  return filled.length > 1 && filled.every((cell) => !/^[-+(]?[\d.,\s%$€£¥]+\)?$/.test(cell)) ? line : ''
}

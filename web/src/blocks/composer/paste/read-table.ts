import { type Table, tableOfText, wellFormed } from './paste-rules.ts'

/** So much may stand around a table that was copied from a page. */
const mostAround = 40

/** The table that was copied, by its cells where the other program tells them; null where it is not one table. */
export function readTable(html: string, text: string): Table | null {
  return tableOfHtml(html) ?? tableOfText(text)
}

function tableOfHtml(html: string): Table | null {
  if (!/<table[\s>]/i.test(html)) return null
  // Nothing in such a document is run or loaded.
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const tables = body.querySelectorAll('table')
  const [table] = tables
  if (!table || tables.length > 1) return null
  const lengthOf = (element: Element) => (element.textContent ?? '').replace(/\s+/g, '').length
  if (lengthOf(body) - lengthOf(table) > mostAround) return null
  return wellFormed([...table.rows].map((row) => [...row.cells].flatMap(cellsOf)))
}

/** A cell over several columns is followed by empty ones. */
const cellsOf = (cell: HTMLTableCellElement): string[] => [
  (cell.textContent ?? '').replace(/\s+/g, ' ').trim(),
  ...Array.from<string>({ length: Math.min(50, cell.colSpan) - 1 }).fill(''),
]

/** What is recognised in pasted text: the address of a page, or a table. Pure. */

/** Rows of cells, all equally long. */
export type Table = readonly (readonly string[])[]

const mostCells = 20_000

/** The address, where nothing else was pasted. */
export function pastedAddress(text: string): string | null {
  const trimmed = text.trim()
  return trimmed.length <= 2000 && /^https?:\/\/[^\s/]+\.[^\s/]+\S*$/i.test(trimmed) && URL.canParse(trimmed)
    ? trimmed
    : null
}

/** A table as spreadsheets copy it: lines of cells with tabs between, at least two by two. */
export function tableOfText(text: string): Table | null {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n+$/, '').split('\n')
  const rows = lines.map((line) => line.split('\t').map((cell) => cell.trim()))
  const width = rows[0]?.length ?? 0
  // Lines that begin with a tab are code rather than a table.
  const isTable = rows.every((row) => row.length === width) && rows.some((row) => row[0] !== '')
  return isTable ? wellFormed(rows) : null
}

/** Rows of any length as a table; null where they are too few or too many to be one. */
export function wellFormed(rows: readonly (readonly string[])[]): Table | null {
  const width = Math.max(0, ...rows.map((row) => row.length))
  if (rows.length < 2 || width < 2 || rows.length * width > mostCells) return null
  return rows.map((row) => [...row, ...Array.from<string>({ length: width - row.length }).fill('')])
}

/** The first row is the head. */
export function tableToMarkdown(table: Table): string {
  const [head = [], ...rows] = table.map((row) =>
    row.map((cell) => cell.replace(/\s*\n\s*/g, ' ').replace(/[\\|]/g, '\\$&')),
  )
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** By RFC 4180. */
export const tableToCsv = (table: Table): string =>
  table
    .map((row) => row.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(','))
    .join('\r\n')
    .concat('\r\n')

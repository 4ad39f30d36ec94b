/** A table as text that other programs take. */

export interface PlainTable {
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** Comma-separated values as in RFC 4180. Cells that a spreadsheet would run as formulas are kept as text. */
export function toCsv({ header, rows }: PlainTable): string {
  return [header, ...rows].map((row) => row.map(csvCell).join(',')).join('\r\n')
}

/** A Markdown table with aligned columns. */
export function toMarkdown({ header, rows }: PlainTable): string {
  const cells = [header, ...rows].map((row) => row.map((cell) => cell.replace(/\|/g, '\\|').replace(/\n/g, ' ')))
  const widths = header.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) => `| ${widths.map((w, column) => (row[column] ?? '').padEnd(w)).join(' | ')} |`
  const rule = `| ${widths.map((w) => '-'.repeat(w)).join(' | ')} |`
  return [line(cells[0] ?? []), rule, ...cells.slice(1).map(line)].join('\n')
}

function csvCell(cell: string): string {
  const safe = /^[=+\-@\t\r]/.test(cell) && !/^[+-]?[\d.,\s%]+$/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe
}

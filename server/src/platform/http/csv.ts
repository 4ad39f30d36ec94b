/** Rows as a table for a spreadsheet (RFC 4180, UTF-8 with a mark, so that every spreadsheet reads it). */

type Cell = string | number | null

export const toCsv = (head: readonly string[], rows: readonly (readonly Cell[])[]): Uint8Array =>
  new TextEncoder().encode(`\uFEFF${[head, ...rows].map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`)

/** Text that a spreadsheet would take for a formula is marked as text. */
const cell = (value: Cell): string => {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

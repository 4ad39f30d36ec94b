/** Tables as text (RFC 4180), read and written. Pure. */

/** The rows of a table, without empty ones; what separates values is told by the first line. Quotes that never end take the rest. */
export function parseCsv(text: string): string[][] {
  const source = text.replace(/^\uFEFF/, '')
  const delimiter = delimiterOf(source)
  const rows: string[][] = []
  let row: string[] = []
  let value = ''
  let quoted = false
  const endValue = () => {
    row.push(value)
    value = ''
  }
  const endRow = () => {
    endValue()
    if (row.some((cell) => cell.trim() !== '')) rows.push(row)
    row = []
  }
  for (let at = 0; at < source.length; at++) {
    const sign = source.charAt(at)
    if (quoted) {
      if (sign !== '"') value += sign
      else if (source.charAt(at + 1) === '"') {
        value += '"'
        at++
      } else quoted = false
    } else if (sign === '"' && value === '') quoted = true
    else if (sign === delimiter) endValue()
    else if (sign === '\n') endRow()
    else if (sign !== '\r') value += sign
  }
  endRow()
  return rows
}

/** What stands most often in the first line; a comma where nothing does. */
function delimiterOf(source: string): string {
  const first = source.slice(0, source.indexOf('\n') < 0 ? source.length : source.indexOf('\n'))
  const counts = [',', ';', '\t'].map((sign) => ({ sign, count: first.split(sign).length }))
  return counts.reduce((best, other) => (other.count > best.count ? other : best)).sign
}

/** With a mark that every spreadsheet reads; text that one would take for a formula is marked as text. */
export const writeCsv = (rows: readonly (readonly string[])[]): string =>
  `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`

function cell(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

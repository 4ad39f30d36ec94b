/** OpenDocument sheets: values as they were shown when the file was saved. */
import { compose } from '../compose.ts'
import type { Reader } from '../reader.ts'
import { childrenOf, type Element } from '../xml.ts'
import { linesOf, marginsOf, openOpenDocument, remarkLines } from './odf.ts'
import { tableText } from './table.ts'

export const readOds: Reader = (bytes, _about, { budget }) => {
  const { body, styles, title, objectLines } = openOpenDocument(bytes, budget, 'spreadsheet')
  const tables = childrenOf(body, 'table')
  const out = compose()
  for (const [index, table] of tables.entries()) {
    const { text, head } = tableText(rowsOf(table), out.length)
    const label = table.attributes['name'] ?? `Sheet ${index + 1}`
    out.add([text, objectLines(table).join('\n'), ...remarkLines(table)].filter((block) => block !== '').join('\n\n'), {
      kind: 'sheet',
      label,
      number: index + 1,
      ...(head ? { head } : {}),
    })
  }
  out.add([marginsOf(styles, 'header'), marginsOf(styles, 'footer')].join('\n'))
  return { extract: out.finish(title), parts: tables.length }
}

/** The same cell or row many times is written once; to say an empty one again, or a value a million times, tells nothing. */
const mostRepeats = 64

function* rowsOf(element: Element): Generator<string[]> {
  for (const child of element.children) {
    if (child.name === 'table-row') {
      const row = cellsOf(child)
      if (row.length === 0) continue
      for (let i = repeats(child, 'number-rows-repeated'); i > 0; i -= 1) yield row
    } else if (child.name.startsWith('table-')) yield* rowsOf(child)
  }
}

const cellsOf = (row: Element): string[] => {
  const cells: string[] = []
  for (const cell of row.children) {
    if (cell.name !== 'table-cell' && cell.name !== 'covered-table-cell') continue
    const text = linesOf(cell).join(' ')
    for (let i = repeats(cell, 'number-columns-repeated'); i > 0; i -= 1) cells.push(text)
  }
  while (cells.at(-1) === '') cells.pop()
  return cells
}

const repeats = (element: Element, name: string): number =>
  Math.max(1, Math.min(mostRepeats, Number(element.attributes[name] ?? 1) || 1))

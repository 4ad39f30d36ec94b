/** Excel: every sheet with its values as people see them, a row a line, cells divided by tabs. */
import { compose } from '../compose.ts'
import { ReadFault } from '../fault.ts'
import type { Reader } from '../reader.ts'
import { childOf, childrenOf, findAll, textOf, type Element } from '../xml.ts'
import { graphicLines, linesOf } from './drawing.ts'
import { openPackage, type OfficePackage } from './package.ts'
import { cellFormatter } from './number-format.ts'
import { marginsOf, rowsOf, type Cell } from './sheet-rows.ts'
import { tableText } from './table.ts'

const mostSheets = 1_000

export const readXlsx: Reader = (bytes, _about, { budget }) => {
  const office = openPackage(bytes, budget, 'xl/workbook.xml')
  const workbook = childOf(office.xml(office.mainPart) ?? undefined, 'workbook')
  const relations = office.relations(office.mainPart)
  const partOf = (type: string) => {
    const target = relations.find((relation) => relation.type === type)?.target
    return target ? (office.xml(target) ?? undefined) : undefined
  }
  const strings = childrenOf(childOf(partOf('sharedStrings'), 'sst'), 'si').map(stringOf)
  const from1904 = ['1', 'true'].includes(childOf(workbook, 'workbookPr')?.attributes['date1904'] ?? '')
  const format = cellFormatter(childOf(partOf('styles'), 'styleSheet'), from1904)

  const shown = (cell: Cell): string => {
    if (cell.type === 's') return strings[Number(cell.value)] ?? ''
    if (cell.type === 'b') return cell.value === '1' ? 'TRUE' : 'FALSE'
    if (cell.type === 'n' || cell.type === '') return format(cell.value, cell.style)
    return cell.value
  }
  const sheets = childrenOf(childOf(workbook, 'sheets'), 'sheet')
  if (sheets.length > mostSheets) throw new ReadFault('too_complex')
  const out = compose()
  for (const [index, { attributes }] of sheets.entries()) {
    const target = relations.find(({ id }) => id === attributes['id'])?.target
    const part = target ? office.archive.read(target) : null
    const table = part ? tableText(rowsOf(part, shown), out.length) : null
    const label = attributes['name'] ?? `Sheet ${index + 1}`
    const drawn = target ? drawnLines(office, target).join('\n') : ''
    const notes = target ? remarks(office, target) : []
    const margins = part ? marginsOf(part).join('\n') : ''
    const text = [table?.text ?? '', drawn, ...notes, margins].filter((block) => block !== '').join('\n\n')
    out.add(text, { kind: 'sheet', label, number: index + 1, ...(table?.head ? { head: table.head } : {}) })
  }
  return { extract: out.finish(office.title), parts: sheets.length }
}

/** Of rich text all runs; how it is pronounced stands beside it and is left out. */
const stringOf = (item: Element): string =>
  item.children
    .map((child) => (child.name === 't' ? textOf(child) : child.name === 'r' ? textOf(childOf(child, 't')) : ''))
    .join('')

/** Text boxes, charts and diagrams on a sheet. */
const drawnLines = (office: OfficePackage, sheet: string): string[] =>
  office.relations(sheet).flatMap(({ type, target }) => {
    const drawing = type === 'drawing' && target !== null ? office.xml(target) : null
    return drawing && target !== null ? [...linesOf(drawing), ...graphicLines(office, target)] : []
  })

/** Remarks that people left on cells: the old kind and the threads of the new kind. */
const remarks = (office: OfficePackage, sheet: string): string[] =>
  office.relations(sheet).flatMap(({ type, target }) => {
    const part = target !== null && (type === 'comments' || type === 'threadedComment') ? office.xml(target) : null
    return part
      ? findAll(part, 'text').map((remark) =>
          (childOf(remark, 't') || childOf(remark, 'r') ? stringOf(remark) : textOf(remark)).trim(),
        )
      : []
  })

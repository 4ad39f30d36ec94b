/**
 * The rows of a worksheet (ECMA-376, part 1, 18.3.1), one after the other out of the bytes: a sheet of a hundred megabytes
 * is never a tree. Rows without a value are passed over, whatever the sheet says of its size.
 */
import { decodeXml, decodeEntities, parseXml, textOf } from '../xml.ts'

export interface Cell {
  /** As in the attribute `t`; empty for a number. */
  readonly type: string
  readonly value: string
  /** Index of its format. */
  readonly style: number
}

/** The last column that Excel knows is the 16,384th. */
const mostColumns = 16_384

export function* rowsOf(part: Uint8Array, shown: (cell: Cell) => string): Generator<string[]> {
  const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength)
  if (part[0] === 0xff || part[0] === 0xfe) {
    for (const row of rowsIn(decodeXml(part), shown)) yield row
    return
  }
  const prefix = /<(\w+:)?worksheet\b/.exec(bytes.toString('latin1', 0, 4096))?.[1] ?? ''
  const close = `</${prefix}row>`
  let at = 0
  while (at < bytes.length) {
    const cut = bytes.indexOf(close, Math.min(bytes.length, at + sliceBytes))
    const end = cut < 0 ? bytes.length : cut + close.length
    yield* rowsIn(bytes.toString('utf8', at, end), shown)
    at = end
  }
}
const sliceBytes = 2 ** 18

function* rowsIn(xml: string, shown: (cell: Cell) => string): Generator<string[]> {
  let row: string[] = []
  let filled = false
  let column = 0
  let cell: { type: string; style: number } | null = null
  let value = ''
  let taking = false
  for (const tag of tagsOf(xml)) {
    if (tag.name === 'row' && !tag.closing) {
      row = []
      filled = false
      column = 0
    } else if (tag.name === 'c' && !tag.closing) {
      const reference = attribute(tag.inside, 'r')
      column = reference ? columnOf(reference) : column + 1
      cell = tag.empty
        ? null
        : { type: attribute(tag.inside, 't') ?? '', style: Number(attribute(tag.inside, 's') ?? 0) }
      value = ''
    } else if ((tag.name === 'v' || tag.name === 't') && cell) {
      if (taking && tag.closing) value += decodeEntities(xml.slice(tag.textFrom, tag.start))
      taking = !tag.closing && !tag.empty
    } else if (tag.name === 'rPh' && !tag.closing) taking = false
    if (tag.name === 'c' && tag.closing && cell) {
      const text = value === '' ? '' : shown({ ...cell, value })
      if (text !== '' && column <= mostColumns) {
        while (row.length < column - 1) row.push('')
        row[column - 1] = text
        filled = true
      }
      cell = null
    }
    if (tag.name === 'row' && tag.closing && filled) yield row
  }
}

interface Tag {
  readonly name: string
  readonly closing: boolean
  readonly empty: boolean
  /** Between the name and the end of the tag. */
  readonly inside: string
  readonly start: number
  /** Where the text before this tag began: behind the tag before it. */
  readonly textFrom: number
}

function* tagsOf(xml: string): Generator<Tag> {
  let textFrom = 0
  for (let start = xml.indexOf('<'); start >= 0; start = xml.indexOf('<', textFrom)) {
    const end = xml.indexOf('>', start)
    if (end < 0) return
    const closing = xml.charCodeAt(start + 1) === 0x2f
    const empty = xml.charCodeAt(end - 1) === 0x2f
    let nameEnd = start + (closing ? 2 : 1)
    let nameStart = nameEnd
    for (; nameEnd < end; nameEnd += 1) {
      const unit = xml.charCodeAt(nameEnd)
      if (unit === 0x3a) nameStart = nameEnd + 1
      else if (unit <= 0x20 || unit === 0x2f) break
    }
    const name = xml.slice(nameStart, nameEnd)
    yield { name, closing, empty, inside: name === 'c' ? xml.slice(nameEnd, end) : '', start, textFrom }
    textFrom = end + 1
  }
}

const attribute = (inside: string, name: string): string | null => {
  const at = inside.indexOf(` ${name}=`)
  if (at < 0) return null
  const quote = inside[at + name.length + 2] ?? '"'
  const from = at + name.length + 3
  const to = inside.indexOf(quote, from)
  return to < 0 ? null : inside.slice(from, to)
}

/** `AB12` → 28. */
const columnOf = (reference: string): number => {
  let column = 0
  for (let i = 0; i < reference.length && i < 4; i += 1) {
    const letter = reference.charCodeAt(i) - 64
    if (letter < 1 || letter > 26) break
    column = column * 26 + letter
  }
  return column
}

/** Headers and footers of a sheet, without the codes that number and shape them (18.3.1.46), each once. */
export const marginsOf = (part: Uint8Array): string[] => {
  const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength)
  const start = bytes.lastIndexOf('<headerFooter')
  const end = bytes.indexOf('</headerFooter>', start)
  if (start < 0 || end < 0 || end - start > mostMargin) return []
  const element = parseXml(`${bytes.toString('utf8', start, end)}</headerFooter>`).children[0]
  const lines = (element?.children ?? []).flatMap((margin) =>
    textOf(margin)
      .split(/&[LCR]/)
      .map((section) =>
        section.replace(/&(?:"[^"]*"|K[\dA-F+-]{5,6}|\d+|&|[A-Z])/gi, (code) => (code === '&&' ? '&' : '')),
      ),
  )
  return [...new Set(lines.map((line) => line.trim()))].filter((line) => /[\p{L}\p{N}]/u.test(line))
}
const mostMargin = 20_000

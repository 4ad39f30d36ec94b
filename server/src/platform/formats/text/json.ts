/**
 * JSON as lines that answer by themselves: each value after its path from the nearest object, objects in paragraphs under
 * their own path. Numbers as typed. JSON lines are records one after another.
 */
import { ReadFault } from '../fault.ts'
import type { Extract } from '../types.ts'
import { cleanText, oneLine } from './clean.ts'
import { codeExtract } from './code.ts'
import { decodeText } from './decode.ts'
import { type Heading, maxSegments, sectionsOf } from './outline.ts'

export const readJson = (bytes: Uint8Array): Extract => {
  const source = decodeText(bytes)
  const whole = parsed(source)
  if (whole) return written([{ path: '', value: whole.value }])
  const records = recordsIn(source)
  // Comments, a comma too many: still text that its owner can ask about.
  return records ? written(records) : codeExtract(source)
}

const maxDepth = 200

const parsed = (source: string): { readonly value: unknown } | null => {
  try {
    // Numbers beyond what a double holds are most often names of things: every digit counts.
    return { value: /\d{16}/.test(source) ? JSON.parse(source, asTyped) : JSON.parse(source) }
  } catch (error) {
    if (error instanceof RangeError) throw new ReadFault('too_complex')
    return null
  }
}

const asTyped = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === 'number' && context?.source !== undefined && !Number.isSafeInteger(value) ? context.source : value

interface Rooted {
  readonly path: string
  readonly value: unknown
}

/** Each line a value; null where that is not so. A line that is cut off at the end is left as it is. */
const recordsIn = (source: string): Rooted[] | null => {
  const records: Rooted[] = []
  let broken = 0
  for (const [index, line] of source.split('\n').entries()) {
    if (line.trim() === '') continue
    const record = /^\s*[[{]/.test(line) ? parsed(line) : null
    if (!record) broken++
    if (broken > 50 && broken > records.length / 10) return null
    records.push({ path: `Line ${index + 1}`, value: record ? record.value : line })
  }
  return records.length > 1 && broken <= records.length / 10 ? records : null
}

interface Step {
  readonly path: string
  readonly value: unknown
  readonly depth: number
}

const written = (records: readonly Rooted[]): Extract => {
  const out: string[] = []
  const headings: Heading[] = []
  let length = 0
  const paragraph = (lines: readonly string[]): void => {
    const text = `${length > 0 ? '\n' : ''}${cleanText(lines.join('\n'))}\n`
    out.push(text)
    length += text.length
  }
  // Members of one object have names to be found by; records have only numbers.
  const only = records.length === 1 ? records[0]?.value : null
  const keyed = isContainer(only) && !Array.isArray(only) && Object.keys(only).length <= maxSegments
  const work: Step[] = records.map(({ path, value }) => ({ path, value, depth: 0 })).toReversed()
  for (let step = work.pop(); step; step = work.pop()) {
    const { path, value, depth } = step
    if (depth > maxDepth) throw new ReadFault('too_complex')
    if (depth === 1 && keyed) {
      headings.push({ depth: 1, title: path, start: length === 0 ? 0 : length + 1 })
    }
    if (!isContainer(value)) {
      paragraph([path === '' ? said(value) : `${path}: ${said(value)}`])
      continue
    }
    const { lines, inner } = membersOf(value, path)
    if (lines.length > 0) paragraph(path === '' ? lines : [path, ...lines])
    for (const next of inner.toReversed()) work.push({ ...next, depth: depth + 1 })
  }
  const text = out.join('')
  if (!/\S/.test(text)) throw new ReadFault('no_text')
  return { text, segments: sectionsOf(headings, text.length), title: null }
}

/** The values right inside, one on a line, and what has an inside itself. */
const membersOf = (value: object, path: string): { lines: string[]; inner: Rooted[] } => {
  const lines: string[] = []
  const inner: Rooted[] = []
  if (Array.isArray(value)) {
    const plain = value.filter((one) => !isContainer(one)).map(said)
    for (const row of inRows(plain)) lines.push(row)
    for (const [index, one] of value.entries()) {
      if (isContainer(one)) inner.push({ path: shortened(`${path}[${index}]`), value: one })
    }
    return { lines, inner }
  }
  for (const [key, one] of Object.entries(value)) {
    const name = oneLine(key, 80)
    if (!isContainer(one)) lines.push(`${name}: ${said(one)}`)
    else if (Array.isArray(one) && one.length <= 1_000 && one.length > 0 && one.every((item) => !isContainer(item)))
      lines.push(`${name}: ${one.map(said).join(', ')}`)
    else inner.push({ path: shortened(path === '' ? name : `${path}.${name}`), value: one })
  }
  return { lines, inner }
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null
const said = (value: unknown): string => (typeof value === 'string' ? value : String(value))

/** A long list of plain values, some on a line. */
const inRows = (values: readonly string[]): string[] => {
  const rows: string[] = []
  let row: string[] = []
  let length = 0
  for (const value of values) {
    row.push(value)
    length += value.length + 2
    if (length < 100) continue
    rows.push(row.join(', '))
    row = []
    length = 0
  }
  if (row.length > 0) rows.push(row.join(', '))
  return rows
}

/** The end of a path says most; a hostile one must not be said whole on every line. */
const shortened = (path: string): string => (path.length <= 100 ? path : `…${path.slice(-90)}`)

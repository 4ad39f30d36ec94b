/**
 * Tables as text. Each row stands on one line; while that stays short each value is named by its column, so that a
 * passage answers by itself. Values are as typed.
 */
import { CsvError, parse } from 'csv-parse/sync'
import { ReadFault } from '../fault.ts'
import type { Extract, Segment } from '../types.ts'
import { cleanText, oneLine } from './clean.ts'
import { decodeText } from './decode.ts'
import { maxSegments } from './outline.ts'

export const readCsv = (bytes: Uint8Array): Extract => {
  const source = decodeText(bytes)
  const delimiter = delimiterOf(source)
  const table = columnsOf(source, delimiter)
  const out = tableText(table, source.length)
  eachRow(source, delimiter, (row, index) => {
    if (index > 0 || !table.headed) out.row(row)
  })
  return out.finish()
}

interface Columns {
  /** Of a table whose first row names its columns; else `Column 1` and so on. */
  readonly names: readonly string[]
  readonly headed: boolean
  /** Rows at most. */
  readonly lines: number
}

/** What separates the values: what stands equally often in most of the first lines, outside quotes; null for a list. */
const delimiterOf = (source: string): string | null => {
  const lines = firstLines(source)
  const scored = [',', ';', '\t', '|'].map((delimiter) => {
    const counts = lines.map((line) => line.split(delimiter).length - 1)
    const usual = counts.toSorted((a, b) => a - b)[Math.floor(counts.length / 2)] ?? 0
    const alike = counts.filter((count) => count === usual).length / counts.length
    return { delimiter, score: usual === 0 ? 0 : alike * 100 + Math.min(usual, 50) }
  })
  const best = scored.toSorted((a, b) => b.score - a.score)[0]
  // Values in quotes are one column too, but not as they stand.
  return best && best.score > 0 ? best.delimiter : source.includes('"') ? ',' : null
}

const firstLines = (source: string): string[] => {
  const start = source.slice(0, 65_536).replace(/"(?:[^"]|"")*"/g, 'x')
  const lines = start.split('\n').filter((line) => line.trim() !== '')
  return (lines.length > 2 ? lines.slice(0, -1) : lines).slice(0, 200)
}

const columnsOf = (source: string, delimiter: string | null): Columns => {
  const rows: string[][] = []
  eachRow(source, delimiter, (row) => rows.push(row), 2)
  const first = rows[0] ?? []
  const headed = rows.length > 1 && looksLikeNames(first)
  const names = first.map((name, index) => (headed && oneLine(name, 100)) || `Column ${index + 1}`)
  let lines = 1
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) lines++
  return { names, headed, lines }
}

/** Names are words, all different, hardly any left out. */
const looksLikeNames = (row: readonly string[]): boolean => {
  const given = row.filter((value) => value.trim() !== '')
  if (given.length === 0 || given.length < row.length * 0.6 || new Set(given).size < given.length) return false
  return given.every((value) => value.length <= 300 && !/^[\s\d.,:;%€$£+/-]+$/.test(value))
}

/** Calls `take` with each row that is not empty, at most `count` of them. Throws ReadFault `damaged`. */
const eachRow = (
  source: string,
  delimiter: string | null,
  take: (row: string[], index: number) => void,
  count = Number.POSITIVE_INFINITY,
): void => {
  let index = 0
  if (delimiter === null) {
    for (let at = 0; at < source.length && index < count; ) {
      const end = source.indexOf('\n', at)
      const line = source.slice(at, end < 0 ? source.length : end)
      if (line !== '') take([line], index++)
      at += line.length + 1
    }
    return
  }
  const options = {
    delimiter,
    // A quote that is never closed would swallow the rest of the file: then quotes are letters like others.
    quote: closesItsQuotes(source, delimiter) ? '"' : false,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    ...(Number.isFinite(count) ? { to: count } : {}),
    on_record: (row: string[]) => {
      take(row, index++)
      return null
    },
  } as const
  try {
    parse(source, options)
  } catch (error) {
    if (error instanceof CsvError) throw new ReadFault('damaged')
    throw error
  }
}

/** As the parser sees it: a quote opens at the start of a value, and closes before its end. */
const closesItsQuotes = (source: string, delimiter: string): boolean => {
  let open = false
  for (let at = source.indexOf('"'); at >= 0; at = source.indexOf('"', at + 1)) {
    if (!open) {
      const before = source[at - 1]
      open = before === undefined || before === '\n' || before === delimiter
    } else if (source[at + 1] === '"') at++
    else {
      const next = source[at + 1]
      if (next === undefined || next === '\n' || next === delimiter) open = false
    }
  }
  return !open
}

const tableText = ({ names, headed, lines }: Columns, sourceLength: number) => {
  const head = oneLine(names.join(' | '), 2_000)
  const named = headed && names.length > 1 && names.join('').length * lines <= mostNaming
  const perSegment = Math.max(segmentLength, Math.ceil((sourceLength * 4) / maxSegments))
  const parts: string[] = []
  const segments: Segment[] = []
  let length = 0
  let rows = 0
  let start = 0
  let first = 1
  let naming = 0

  const nameOf = (column: number): string => {
    const name = names[column] ?? `Column ${column + 1}`
    naming += name.length
    return name
  }
  const close = (): void => {
    if (length === start) return
    const label = rows === first ? `Row ${first}` : `Rows ${first}–${rows}`
    segments.push({ kind: 'lines', label, number: null, start, end: length, ...(headed ? { head } : {}) })
    start = length
    first = rows + 1
  }
  return {
    row(values: readonly string[]): void {
      const cells = values.map(onOneLine)
      // Rows may be wider than the head, as they are behind a quote that never closes.
      const said =
        named && naming <= mostNaming
          ? cells.flatMap((cell, i) => (cell === '' ? [] : [`${nameOf(i)}: ${cell}`])).join('; ')
          : cells.join(' | ')
      rows++
      if (said.trim() === '') return
      const line = cleanText(`${said}\n`)
      parts.push(line)
      length += line.length
      if (length - start >= perSegment) close()
    },
    finish(): Extract {
      close()
      const text = parts.join('')
      if (!/\S/.test(text)) throw new ReadFault('no_text')
      return { text, segments, title: null }
    },
  }
}

const segmentLength = 4_000
/** Characters of column names said again in every row, all together. */
const mostNaming = 4_000_000
const onOneLine = (value: string): string => (value.includes('\n') ? value.replace(/\s*\n\s*/g, ' ') : value)

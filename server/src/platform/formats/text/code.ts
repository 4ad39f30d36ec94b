/** Source code: as it is, in stretches of lines that end where something ends. */
import type { Extract, Segment } from '../types.ts'
import { decodeText } from './decode.ts'
import { maxSegments } from './outline.ts'

export const readCode = (bytes: Uint8Array): Extract => codeExtract(decodeText(bytes))

/** Text whose lines are what people name a place in it by. */
export const codeExtract = (text: string): Extract => ({ text, segments: stretchesOf(text), title: null })

const usualLines = 60

const stretchesOf = (text: string): Segment[] => {
  const lines = text.split('\n')
  const wanted = Math.max(usualLines, Math.ceil(lines.length / (maxSegments / 2)))
  const segments: Segment[] = []
  let first = 0
  let start = 0
  let at = 0
  for (const [index, line] of lines.entries()) {
    at += line.length + 1
    const taken = index + 1 - first
    const last = index === lines.length - 1
    if (!last && !(taken >= wanted && (taken >= wanted * 2 || endsHere(line, lines[index + 1] ?? '')))) continue
    const end = last ? text.length : at
    if (/\S/.test(text.slice(start, end)))
      segments.push({ kind: 'lines', label: linesLabel(first, index), number: null, start, end })
    first = index + 1
    start = at
  }
  return segments
}

/** A blank line or a closing one, with something that stands at the margin after it. */
const endsHere = (line: string, next: string): boolean => /^(?:[})\];]|\s*$)/.test(line) && /^[^\s})\]]/.test(next)

const linesLabel = (first: number, last: number): string =>
  first === last ? `Line ${first + 1}` : `Lines ${first + 1}–${last + 1}`

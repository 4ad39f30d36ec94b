/** Inserts the text that a model read from pictures where it belongs. Pure. */
import type { Extract, Segment } from '../../../platform/formats/types.ts'

/** The text of one picture; `page` is null for an image file. */
export interface PictureText {
  readonly page: number | null
  readonly text: string
}

/** Each page's reading comes behind the text of that page; pages that had no text become stretches of their own. */
export const insertPictureTexts = ({ text, segments, title }: Extract, readings: readonly PictureText[]): Extract => {
  const byPage = new Map<number | null, string[]>()
  for (const { page, text: read } of readings) {
    const clean = plain(read)
    if (clean !== '') byPage.set(page, [...(byPage.get(page) ?? []), clean])
  }
  const pages = [...byPage.keys()].filter((page) => page !== null).sort((a, b) => a - b)
  const pieces: string[] = []
  const made: Segment[] = []
  let length = 0
  let taken = 0
  const add = (piece: string): number => {
    const gap = length > 0 && piece !== '' ? '\n\n' : ''
    pieces.push(gap, piece)
    length += gap.length + piece.length
    return length - piece.length
  }
  const addPage = (page: number): void => {
    const start = add((byPage.get(page) ?? []).join('\n\n'))
    made.push({ kind: 'page', label: `Page ${page}`, number: page, start, end: length })
  }
  const keep = (from: number, to: number): number => {
    const piece = text.slice(from, to)
    const start = length
    pieces.push(piece)
    length += piece.length
    return start
  }
  for (const segment of segments) {
    keep(taken, segment.start)
    while (segment.kind === 'page' && pages[0] !== undefined && pages[0] < (segment.number ?? 0)) {
      addPage(pages.shift() as number)
      add('')
    }
    const start = keep(segment.start, segment.end)
    if (segment.kind === 'page' && pages[0] === segment.number)
      add((byPage.get(pages.shift() ?? null) ?? []).join('\n\n'))
    made.push({ ...segment, start, end: length })
    taken = segment.end
  }
  keep(taken, text.length)
  for (const page of pages) addPage(page)
  for (const read of byPage.get(null) ?? []) add(read)
  return { text: pieces.join(''), segments: made, title }
}

/** As the texts of files are: NFC, plain line ends, no control characters. */
const plain = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .trim()

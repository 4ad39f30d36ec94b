/** The outlines of a TrueType font, as far as tests need them to print pages: simple and composite glyphs, no hints. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

export interface Point {
  readonly x: number
  readonly y: number
}
/** Closed, of straight pieces; y grows upwards, one is the size of the font. */
export type Outline = readonly Point[]

export interface Font {
  /** The outlines of a character, and how far it moves on. */
  readonly glyph: (character: string) => { readonly outlines: readonly Outline[]; readonly advance: number }
}

/** Liberation Sans, which comes with pdf.js. */
export const readSansFont = (): Font =>
  readFont(readFileSync(createRequire(import.meta.url).resolve('pdfjs-dist/standard_fonts/LiberationSans-Regular.ttf')))

const readFont = (data: Buffer): Font => {
  const tables = new Map<string, number>()
  for (let i = 0; i < data.readUInt16BE(4); i++)
    tables.set(data.toString('latin1', 12 + i * 16, 16 + i * 16), data.readUInt32BE(20 + i * 16))
  const at = (name: string): number => tables.get(name) ?? 0
  const unit = data.readUInt16BE(at('head') + 18)
  const longOffsets = data.readUInt16BE(at('head') + 50) === 1
  const metrics = data.readUInt16BE(at('hhea') + 34)
  const lookUp = readCharacters(data, at('cmap'))
  const start = (index: number): number =>
    at('glyf') +
    (longOffsets ? data.readUInt32BE(at('loca') + index * 4) : data.readUInt16BE(at('loca') + index * 2) * 2)
  const outlinesOf = (index: number): Outline[] => {
    if (start(index) === start(index + 1)) return []
    const from = start(index)
    const contours = data.readInt16BE(from)
    return contours >= 0 ? readSimple(data, from, contours) : readComposite(data, from + 10, outlinesOf)
  }
  const known = new Map<string, ReturnType<Font['glyph']>>()
  return {
    glyph(character) {
      const kept = known.get(character)
      if (kept) return kept
      const index = lookUp(character.codePointAt(0) ?? 0)
      const outlines = outlinesOf(index).map((outline) => outline.map(({ x, y }) => ({ x: x / unit, y: y / unit })))
      const advance = data.readUInt16BE(at('hmtx') + Math.min(index, metrics - 1) * 4) / unit
      known.set(character, { outlines, advance })
      return { outlines, advance }
    },
  }
}

/** Format 4 of the characters’ table. */
const readCharacters = (data: Buffer, cmap: number): ((code: number) => number) => {
  let table = 0
  for (let i = 0; i < data.readUInt16BE(cmap + 2); i++) {
    const place = cmap + data.readUInt32BE(cmap + 8 + i * 8)
    if (data.readUInt16BE(place) === 4) table = place
  }
  const count = data.readUInt16BE(table + 6)
  return (code) => {
    for (let i = 0; i < count; i += 2) {
      if (code > data.readUInt16BE(table + 14 + i)) continue
      const first = data.readUInt16BE(table + 16 + count + i)
      const delta = data.readUInt16BE(table + 16 + count * 2 + i)
      const place = table + 16 + count * 3 + i
      const offset = data.readUInt16BE(place)
      if (code < first) return 0
      if (offset === 0) return (code + delta) & 0xffff
      const index = data.readUInt16BE(place + offset + (code - first) * 2)
      return index === 0 ? 0 : (index + delta) & 0xffff
    }
    return 0
  }
}

const readSimple = (data: Buffer, from: number, contours: number): Outline[] => {
  const ends = Array.from({ length: contours }, (_, i) => data.readUInt16BE(from + 10 + i * 2))
  const count = (ends.at(-1) ?? -1) + 1
  let at = from + 10 + contours * 2
  at += 2 + data.readUInt16BE(at)
  const flags: number[] = []
  while (flags.length < count) {
    const flag = data[at++] ?? 0
    const repeats = flag & 8 ? (data[at++] ?? 0) : 0
    for (let i = 0; i <= repeats; i++) flags.push(flag)
  }
  const coordinates = (short: number, same: number): number[] => {
    let value = 0
    return flags.map((flag) => {
      if (flag & short) value += (data[at++] ?? 0) * (flag & same ? 1 : -1)
      else if (!(flag & same)) {
        value += data.readInt16BE(at)
        at += 2
      }
      return value
    })
  }
  const xs = coordinates(2, 16)
  const ys = coordinates(4, 32)
  const points = flags.map((flag, i) => ({ x: xs[i] ?? 0, y: ys[i] ?? 0, on: (flag & 1) === 1 }))
  return ends.map((end, i) => straighten(points.slice((ends[i - 1] ?? -1) + 1, end + 1)))
}

const pieces = 4

/** Quadratic curves as some straight pieces each. */
const straighten = (points: readonly (Point & { readonly on: boolean })[]): Outline => {
  const middle = (a: Point, b: Point) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, on: true })
  const whole = points.flatMap((point, i) => {
    const next = points[(i + 1) % points.length] ?? point
    return point.on || next.on ? [point] : [point, middle(point, next)]
  })
  const first = whole.findIndex(({ on }) => on)
  const ring = [...whole.slice(first), ...whole.slice(0, first), whole[first]].filter((point) => point !== undefined)
  const outline: Point[] = []
  for (const [i, point] of ring.entries()) {
    const [before, after] = [ring[i - 1], ring[i + 1]]
    if (point.on || !before || !after) {
      outline.push(point)
      continue
    }
    for (let step = 1; step < pieces; step++) {
      const t = step / pieces
      const mix = (a: number, b: number, c: number) => (1 - t) ** 2 * a + 2 * t * (1 - t) * b + t * t * c
      outline.push({ x: mix(before.x, point.x, after.x), y: mix(before.y, point.y, after.y) })
    }
  }
  return outline
}

const readComposite = (data: Buffer, from: number, outlinesOf: (index: number) => Outline[]): Outline[] => {
  const outlines: Outline[] = []
  for (let at = from, more = true; more; ) {
    const flags = data.readUInt16BE(at)
    const words = (flags & 1) === 1
    const dx = words ? data.readInt16BE(at + 4) : data.readInt8(at + 4)
    const dy = words ? data.readInt16BE(at + 6) : data.readInt8(at + 5)
    for (const outline of outlinesOf(data.readUInt16BE(at + 2)))
      outlines.push(outline.map(({ x, y }) => ({ x: x + dx, y: y + dy })))
    at += (words ? 8 : 6) + (flags & 8 ? 2 : flags & 64 ? 4 : flags & 128 ? 8 : 0)
    more = (flags & 32) !== 0
  }
  return outlines
}

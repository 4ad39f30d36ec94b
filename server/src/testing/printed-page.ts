/** Pages of print for tests, drawn from the outlines of a font: clean, noisy, dark, turned. */
import { packPng } from './drawing.ts'
import { readSansFont, type Font, type Point } from './truetype.ts'

export interface PageLook {
  /** Of an A4 page. Default 200; 11 points are the size of the print. */
  readonly dpi?: number
  /** Degrees, against the clock. */
  readonly turned?: number
  /** How far a pixel may stray, of 255. */
  readonly noise?: number
  readonly ink?: number
  readonly paper?: number
  /** As much of the page as is drawn, from its top: small pages are read quickly. Default all. */
  readonly height?: number
}

export interface PrintedPage {
  readonly png: Uint8Array<ArrayBuffer>
  readonly words: readonly string[]
  readonly width: number
  readonly height: number
}

let font: Font | undefined

/** Prints as many of `words` as the page takes. */
export const printPage = (words: readonly string[], look: PageLook = {}): PrintedPage => {
  font ??= readSansFont()
  const { dpi = 200, turned = 0, noise = 0, ink = 0, paper = 255 } = look
  const width = Math.round(8.27 * dpi)
  const height = Math.round(11.69 * dpi * (look.height ?? 1))
  const size = (11 / 72) * dpi
  const radians = (turned * Math.PI) / 180
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)]
  const place = (x: number, y: number): Point => {
    const [dx, dy] = [x - width / 2, y - height / 2]
    return { x: dx * cos + dy * sin + width / 2, y: -dx * sin + dy * cos + height / 2 }
  }
  const edges = new Float32Array(width * height + 2)
  const printed: string[] = []
  const margin = 0.9 * dpi
  let [x, y] = [margin, margin]
  for (const word of words) {
    const length = Array.from(word).reduce((sum, character) => sum + (font as Font).glyph(character).advance * size, 0)
    if (x + length > width - margin) {
      x = margin
      y += size * 1.4
    }
    if (y > height - margin) break
    for (const character of word) {
      const { outlines, advance } = font.glyph(character)
      for (const outline of outlines)
        for (const [i, point] of outline.entries()) {
          const next = outline[(i + 1) % outline.length] ?? point
          const ends = [point, next].map((end) => place(x + end.x * size, y - end.y * size))
          addEdge(edges, width, height, ends[0] as Point, ends[1] as Point)
        }
      x += advance * size
    }
    x += size * 0.3
    printed.push(word)
  }
  const rows = Buffer.alloc(height * (width + 1))
  const chance = chances()
  for (let row = 0; row < height; row++) {
    let covered = 0
    for (let column = 0; column < width; column++) {
      covered += edges[row * width + column] ?? 0
      const grey = paper + (ink - paper) * Math.min(1, Math.abs(covered))
      const stray = noise === 0 ? 0 : (chance() * 2 - 1) * noise
      rows[row * (width + 1) + 1 + column] = Math.max(0, Math.min(255, Math.round(grey + stray)))
    }
  }
  return { png: packPng(width, height, 0, rows), words: printed, width, height }
}

/** Adds to each pixel how much the area to its right changes; the sum along a row is what is covered. */
const addEdge = (edges: Float32Array, width: number, height: number, from: Point, to: Point): void => {
  if (from.y === to.y) return
  const direction = from.y < to.y ? 1 : -1
  const [top, bottom] = direction === 1 ? [from, to] : [to, from]
  const slope = (bottom.x - top.x) / (bottom.y - top.y)
  for (let row = Math.max(0, Math.floor(top.y)); row < Math.min(height, Math.ceil(bottom.y)); row++) {
    const [upper, lower] = [Math.max(row, top.y), Math.min(row + 1, bottom.y)]
    const middle = top.x + ((upper + lower) / 2 - top.y) * slope
    const column = Math.floor(middle)
    if (column < 0 || column >= width - 1) continue
    const part = (lower - upper) * direction
    const rest = part * (middle - column)
    const at = row * width + column
    edges[at] = (edges[at] ?? 0) + part - rest
    edges[at + 1] = (edges[at + 1] ?? 0) + rest
  }
}

/** The same at every run (mulberry32). */
const chances = (): (() => number) => {
  let state = 7
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** How many of the printed words stand in a text, each as often as it was printed. */
export const countFound = (words: readonly string[], text: string): number => {
  const left = new Map<string, number>()
  for (const word of text.split(/\s+/)) left.set(word, (left.get(word) ?? 0) + 1)
  let found = 0
  for (const word of words) {
    const count = left.get(word) ?? 0
    if (count === 0) continue
    left.set(word, count - 1)
    found += 1
  }
  return found
}

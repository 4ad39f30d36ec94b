/** Glyphs in the order in which they are read; they are drawn from the left, whatever the script. */
import { hasRightToLeft, inOwnLetters } from './right-to-left.ts'

/** Glyphs that stand side by side, each as the signs that its font names for it. */
export interface DrawnPiece {
  readonly x: number
  readonly y: number
  readonly glyphs: string[]
}

/** All pieces in one line of text. Lines without letters from right to left stay as they were drawn. */
export const asRead = (pieces: readonly DrawnPiece[]): string => {
  const lines: DrawnPiece[][] = []
  for (const piece of pieces) {
    const line = lines.at(-1)
    if (line?.[0]?.y === piece.y) line.push(piece)
    else lines.push([piece])
  }
  return inOwnLetters(lines.map(lineAsRead).join(' ').replace(/\s+/g, ' ').trim())
}

const lineAsRead = (line: readonly DrawnPiece[]): string => {
  const drawn = glyphsOf(line)
  if (!drawn.some(hasRightToLeft)) return drawn.join('')
  const glyphs = glyphsOf(line.toSorted((a, b) => a.x - b.x))
  const turnsMost = glyphs.filter(hasRightToLeft).length > glyphs.filter((glyph) => otherLetter.test(glyph)).length
  const read = turnsMost
    ? turned(glyphs.toReversed(), (glyph) => runsOn.test(glyph) && !hasRightToLeft(glyph))
    : turned(glyphs, hasRightToLeft)
  return read.join('').replace(shapes, (letters) => letters.normalize('NFKC'))
}
const otherLetter = /[\p{L}--[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]]/v
const runsOn = /[\p{L}\p{N}]/u
const shapes = /[\ufb1d-\ufdff\ufe70-\ufefc]+/g

const glyphsOf = (line: readonly DrawnPiece[]): string[] =>
  line.flatMap(({ glyphs }, at) => (at === 0 ? glyphs : [' ', ...glyphs]))

/** With every run of such glyphs turned around, what stands between two of them included. */
const turned = (glyphs: readonly string[], inRun: (glyph: string) => boolean): string[] => {
  const out: string[] = []
  let run: string[] = []
  let between: string[] = []
  for (const glyph of glyphs) {
    if (inRun(glyph)) {
      run.push(...between, glyph)
      between = []
    } else if (run.length > 0 && neutral.test(glyph)) between.push(glyph)
    else {
      out.push(...run.toReversed(), ...between, glyph)
      run = []
      between = []
    }
  }
  return [...out, ...run.toReversed(), ...between]
}
const neutral = /^[^\p{L}\p{N}]+$/u

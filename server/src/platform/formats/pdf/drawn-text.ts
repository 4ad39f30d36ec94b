/** What is written on buttons, stamps and signatures. pdf.js tells it only as what is drawn. */
import type { PDFPageProxy } from 'pdfjs-dist'
import { asRead, type DrawnPiece } from './drawn-order.ts'

/** By the ids of annotations with a drawing of their own, in one line each. */
export const drawnTexts = async (page: PDFPageProxy): Promise<Map<string, string>> => {
  const { AnnotationMode, OPS } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const { fnArray, argsArray } = await page.getOperatorList({ annotationMode: AnnotationMode.ENABLE })
  const texts = new Map<string, string>()
  let id: string | null = null
  let pieces: DrawnPiece[] = []
  let [x, y, width, height] = [0, 0, 1, 1]
  // Words and lines are set apart by moves.
  const move = (toX: number, toY: number): void => {
    ;[x, y] = [toX, toY]
    if (pieces.at(-1)?.glyphs.length !== 0) pieces.push({ x, y, glyphs: [] })
    else pieces[pieces.length - 1] = { x, y, glyphs: [] }
  }
  for (const [index, operator] of fnArray.entries()) {
    const args = (argsArray[index] ?? []) as readonly unknown[]
    if (operator === OPS.beginAnnotation) {
      id = String(args[0])
      pieces = [{ x, y, glyphs: [] }]
    } else if (id === null) continue
    else if (operator === OPS.showText) pieces.at(-1)?.glyphs.push(...glyphsOf(args[0]))
    else if (operator === OPS.beginText) {
      ;[width, height] = [1, 1]
      move(0, 0)
    } else if (operator === OPS.setTextMatrix) {
      const matrix = args[0] as ArrayLike<number>
      ;[width, height] = [matrix[0] || 1, matrix[3] || 1]
      move(matrix[4] ?? 0, matrix[5] ?? 0)
    } else if (operator === OPS.moveText || operator === OPS.setLeadingMoveText)
      move(x + Number(args[0]) * width, y + Number(args[1]) * height)
    else if (operator === OPS.nextLine) move(x, y - height)
    else if (operator === OPS.endAnnotation) {
      const line = asRead(pieces)
      if (line !== '') texts.set(id, line)
      id = null
    }
  }
  return texts
}

/** Signs, with numbers between them for the space that is left. */
const glyphsOf = (shown: unknown): string[] =>
  (Array.isArray(shown) ? (shown as readonly ({ readonly unicode?: string } | number | null)[]) : []).flatMap(
    (glyph) => (typeof glyph === 'object' ? (glyph?.unicode ?? []) : []),
  )

/** What is written on buttons, stamps and signatures. pdf.js tells it only as what is drawn. */
import type { PDFPageProxy } from 'pdfjs-dist'

/** By the ids of annotations with a drawing of their own, in one line each. */
export const drawnTexts = async (page: PDFPageProxy): Promise<Map<string, string>> => {
  const { AnnotationMode, OPS } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const { fnArray, argsArray } = await page.getOperatorList({ annotationMode: AnnotationMode.ENABLE })
  const texts = new Map<string, string>()
  const moves = new Set<unknown>([OPS.moveText, OPS.setTextMatrix, OPS.nextLine, OPS.beginText])
  let id: string | null = null
  let text = ''
  for (const [index, operator] of fnArray.entries()) {
    if (operator === OPS.beginAnnotation) {
      id = String(argsArray[index]?.[0])
      text = ''
    } else if (operator === OPS.showText && id !== null) text += drawnText(argsArray[index]?.[0])
    // Words and lines are set apart by moves.
    else if (moves.has(operator) && text !== '') text += ' '
    else if (operator === OPS.endAnnotation && id !== null) {
      const line = text.replace(/\s+/g, ' ').trim()
      if (line !== '') texts.set(id, line)
      id = null
    }
  }
  return texts
}

/** Signs, with numbers between them for the space that is left. */
const drawnText = (pieces: unknown): string =>
  (Array.isArray(pieces) ? (pieces as readonly ({ readonly unicode?: string } | number | null)[]) : [])
    .map((piece) => (typeof piece === 'object' ? (piece?.unicode ?? '') : ''))
    .join('')

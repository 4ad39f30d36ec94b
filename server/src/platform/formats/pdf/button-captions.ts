/** What stands on the buttons of a page. pdf.js tells it only as what is drawn. */
import type { PDFPageProxy } from 'pdfjs-dist'

/** By the id of the annotation; of other annotations with a drawing of their own, what is written in that. */
export const buttonCaptions = async (page: PDFPageProxy): Promise<Map<string, string>> => {
  const { AnnotationMode, OPS } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const { fnArray, argsArray } = await page.getOperatorList({ annotationMode: AnnotationMode.ENABLE })
  const captions = new Map<string, string>()
  let id: string | null = null
  let text = ''
  for (const [index, operator] of fnArray.entries()) {
    if (operator === OPS.beginAnnotation) {
      id = String(argsArray[index]?.[0])
      text = ''
    } else if (operator === OPS.showText && id !== null) text += drawnText(argsArray[index]?.[0])
    // Words and lines of a caption are set apart by moves.
    else if (operator === OPS.moveText && text !== '') text += ' '
    else if (operator === OPS.endAnnotation && id !== null) {
      const caption = text.replace(/\s+/g, ' ').trim()
      if (caption !== '') captions.set(id, caption)
      id = null
    }
  }
  return captions
}

/** Signs, with numbers between them for the space that is left. */
const drawnText = (pieces: unknown): string =>
  (Array.isArray(pieces) ? (pieces as readonly ({ readonly unicode?: string } | number | null)[]) : [])
    .map((piece) => (typeof piece === 'object' ? (piece?.unicode ?? '') : ''))
    .join('')

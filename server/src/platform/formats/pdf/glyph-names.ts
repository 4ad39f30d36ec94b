/**
 * Fonts that name their glyphs and not their letters: `one.oldstyle` and `a.sc` are a one and an a to people, and nothing to
 * pdf.js. What stands behind the dot only says how they look (Adobe Glyph List Specification, 2).
 */
import { PDFArray, PDFDict, PDFDocument, PDFName } from 'pdf-lib'

/** What pdf.js gives for glyphs without a letter: their number. */
export const hasUnnamed = (text: string): boolean => unnamed.test(text)
const unnamed = /[\p{Cc}--[\0\t\n\r\f\v]]/v

/** The same file with such names cut at the dot; null where there are none. */
export const withPlainNames = async (bytes: Uint8Array): Promise<Uint8Array | null> => {
  try {
    const document = await PDFDocument.load(bytes, { updateMetadata: false })
    let renamed = 0
    for (const [, object] of document.context.enumerateIndirectObjects()) {
      const encoding = object instanceof PDFDict ? document.context.lookup(object.get(PDFName.of('Encoding'))) : null
      for (const dict of [object, encoding]) if (dict instanceof PDFDict) renamed += rename(dict)
    }
    return renamed === 0 ? null : await document.save({ useObjectStreams: false })
  } catch {
    // Locked, or more broken than pdf-lib forgives: read as it is.
    return null
  }
}

const rename = (encoding: PDFDict): number => {
  const names = encoding.context.lookup(encoding.get(PDFName.of('Differences')))
  if (!(names instanceof PDFArray)) return 0
  let renamed = 0
  for (let at = 0; at < names.size(); at += 1) {
    const name = names.get(at)
    const plain = name instanceof PDFName ? /^([A-Za-z]\w*)\../.exec(name.decodeText())?.[1] : undefined
    if (plain === undefined) continue
    names.set(at, PDFName.of(plain))
    renamed += 1
  }
  return renamed
}

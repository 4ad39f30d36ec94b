/**
 * Words from right to left in the order in which they are typed. pdf.js takes what a page shows from left to right and
 * turns it around, which is right for fonts that name one letter for each glyph. Where a font names whole words for a
 * glyph, it names them as they are typed, and pdf.js has turned them the wrong way: those are turned back.
 */
import { inflateSync } from 'node:zlib'
import { PDFDict, PDFDocument, PDFName, PDFRawStream, PDFRef } from 'pdf-lib'

/** Hebrew, Arabic and their kin, with their marks. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/
const words = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]{3,}/g

export const hasRightToLeft = (text: string): boolean => rightToLeft.test(text)

/** The words of three letters and more that fonts of a file name for single glyphs, as they are typed. */
export const namedWords = async (bytes: Uint8Array): Promise<ReadonlySet<string>> => {
  const found = new Set<string>()
  try {
    const { context } = await PDFDocument.load(bytes, { ignoreEncryption: true, updateMetadata: false })
    for (const [, object] of context.enumerateIndirectObjects()) {
      const reference = object instanceof PDFDict ? object.get(PDFName.of('ToUnicode')) : undefined
      const map = reference instanceof PDFRef ? context.lookup(reference) : undefined
      if (map instanceof PDFRawStream) for (const word of wordsOf(map)) if (found.size < mostWords) found.add(word)
    }
  } catch {
    // pdf.js forgives more than pdf-lib; its order stays then.
  }
  return found
}

const mostBytes = 2 ** 20
/** Each costs a search of the whole text. */
const mostWords = 1_000

/** Of the tables in a map from glyphs to text (ISO 32000-1, 9.10.3); those of text in UTF-16. */
const wordsOf = (map: PDFRawStream): string[] => {
  const packed = map.dict.get(PDFName.of('Filter')) === PDFName.of('FlateDecode')
  const table = Buffer.from(packed ? inflateSync(map.contents, { maxOutputLength: mostBytes }) : map.contents)
  return [...table.toString('latin1').matchAll(/<[\da-f]+>\s*<((?:[\da-f]{4}){3,100})>/gi)].flatMap(([, hex = '']) => {
    const text = Buffer.from(hex, 'hex').swap16().toString('utf16le')
    return text.match(words) ?? []
  })
}

/** The text with every word that stands there mirrored turned back. */
export const asTyped = (text: string, named: ReadonlySet<string>): string => {
  let turned = text
  for (const word of named) {
    const mirrored = Array.from(word).toReversed().join('')
    if (mirrored !== word) turned = turned.replaceAll(mirrored, word)
  }
  return turned
}

/**
 * Fonts name shapes that Arabic and Persian share by the letters of Persian: a text in Arabic gets its own letters back, so
 * that it is found as people type it. Left alone where letters tell that it is Persian, Urdu or Kurdish.
 */
export const inOwnLetters = (text: string): string =>
  /\u0629/.test(text) && !/[\u0679\u067e\u0686\u0688\u0691\u0695\u0698\u06af\u06b5\u06ba\u06c6\u06d2]/.test(text)
    ? text
        .replace(endOfWord, '\u0649')
        .replace(/[\u06a9\u06be\u06c0\u06c1\u06cc\u06d5]/g, (letter) => arabic[letter] ?? letter)
    : text
/** Without dots at the end of a word, where Arabic has another letter than within. */
const endOfWord = /\u06cc(?!\p{M}*[\p{L}&&\p{Script_Extensions=Arabic}])/gv
const arabic: Readonly<Record<string, string>> = {
  '\u06a9': '\u0643',
  '\u06be': '\u0647',
  '\u06c0': '\u0647',
  '\u06c1': '\u0647',
  '\u06cc': '\u064a',
  '\u06d5': '\u0647',
}

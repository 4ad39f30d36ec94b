/** Words of a text in a form that can be compared: lower case, without accents and vowel marks. */

const word = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu
/** Scripts that put no spaces between words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/u
/** Latin accents, Arabic vowel marks and the Arabic stretching line. */
const marks = /[\u0300-\u036f\u064b-\u065f\u0670\u0640]/g

let segmenter: Intl.Segmenter | null = null

/** All words, in order. */
export function wordsOf(text: string): string[] {
  const folded = text.normalize('NFKD').replace(marks, '').normalize('NFC').toLowerCase()
  const found = folded.match(word) ?? []
  return unspaced.test(folded) ? found.flatMap(segment) : found
}

function segment(run: string): string[] {
  if (!unspaced.test(run)) return [run]
  segmenter ??= new Intl.Segmenter('und', { granularity: 'word' })
  return [...segmenter.segment(run)].map((part) => part.segment)
}

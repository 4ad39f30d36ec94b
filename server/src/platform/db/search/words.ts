/** Cuts a text into words that can be compared: folded, in order, with joined words as one and as their parts. Pure. */

/** One place of a text where a word stands. */
export interface Word {
  /** The word as one: `wellknown` of `well-known`, `3.5` of `3.5`, a pair of signs where a script puts no spaces. */
  readonly whole: string
  /** What it is joined of, when it is joined. */
  readonly parts: readonly string[]
}

/** Longer words tell nothing but where they begin: keys, digests, pictures as text. */
const longest = 64

const marks = /[\u0300-\u036f\u064b-\u065f\u0670\u0640\u00ad\u200b-\u200d]/g
const plain = /^[\x20-\x7e\s]*$/
/** A hyphen at the end of a line, before a small letter, may divide a word: it joins like any other. */
const runs = /[\p{L}\p{N}\p{M}]+(?:(?:[-\u2010\u2011'\u2019_.@]|[-\u2010][ \t]*\n(?=\p{Ll}))[\p{L}\p{N}\p{M}]+)*/gu
const joints = /[-\u2010\u2011'\u2019_.@]\s*/
/** Scripts that put no spaces between words: cut into pairs of signs, and by the dictionary. */
const paired = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc]+/gu
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}]/u
const apostrophe = /['\u2019]/
const camel = /(?<=\p{Ll}|\p{N})(?=\p{Lu})/u
const numeric = /^\p{N}+$/u

/** Without accents, vowel marks and differences of form; letters keep their case, so that joined names can be told. */
const unmark = (text: string): string =>
  plain.test(text) ? text : text.normalize('NFKD').replace(marks, '').normalize('NFC')

const lower = (text: string): string => {
  const small = text.toLowerCase()
  return plain.test(small) ? small : small.replaceAll('ß', 'ss').replaceAll('ς', 'σ').replaceAll('ى', 'ي')
}

/** One word, folded as `wordsOf` folds. */
export const foldWord = (text: string): string => lower(unmark(text))

/** All words of a text, in order. `asked`: of a query, where pairs of signs stand for single ones. */
export const wordsOf = (text: string, asked = false): Word[] => {
  const words: Word[] = []
  for (const [run] of unmark(text).matchAll(runs)) {
    if (unspaced.test(run)) for (const whole of segment(lower(run), asked)) words.push({ whole, parts: [] })
    else {
      const word = toWord(run)
      if (word) words.push(word)
    }
  }
  return words
}

const toWord = (joined: string): Word | null => {
  const run = withoutElision(joined)
  const cut = run.split(joints)
  const pieces = cut.flatMap((piece) => (piece.length > 3 ? piece.split(camel) : [piece]))
  if (pieces.length === 1) {
    const whole = shorten(lower(run))
    return whole.length > 1 ? { whole, parts: [] } : null
  }
  const whole = shorten(lower(cut.every((piece) => numeric.test(piece)) ? cut.join('.') : cut.join('')))
  return { whole, parts: pieces.map((piece) => shorten(lower(piece))).filter((piece) => piece.length > 1) }
}

/** `Newton's`, `l'homme`, `don't`: what is left out or hung on there is no word. */
const withoutElision = (run: string): string => {
  if (!apostrophe.test(run)) return run
  const [longest = run, next = ''] = run.split(apostrophe).sort((a, b) => b.length - a.length)
  return next.length <= 2 ? longest : run
}

const shorten = (word: string): string => (word.length > longest ? word.slice(0, longest) : word)

let segmenter: Intl.Segmenter | null = null

/** Pairs of signs overlap, so that a query finds them wherever a dictionary would have cut. */
const segment = (run: string, asked: boolean): string[] => {
  const found: string[] = []
  const spell = (part: string): void => {
    segmenter ??= new Intl.Segmenter('und', { granularity: 'word' })
    for (const { segment: word } of segmenter.segment(part)) {
      const bare = word.replace(/[^\p{L}\p{N}\p{M}]+/gu, '')
      if (bare.length > 1) found.push(shorten(bare))
    }
  }
  let at = 0
  for (const match of run.matchAll(paired)) {
    if (match.index > at) spell(run.slice(at, match.index))
    at = match.index + match[0].length
    const signs = Array.from(match[0])
    if (!asked || signs.length === 1) found.push(...signs)
    for (let i = 0; i + 1 < signs.length; i++) found.push(`${signs[i]}${signs[i + 1]}`)
  }
  if (at < run.length) spell(run.slice(at))
  return found
}

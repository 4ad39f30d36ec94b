/** What of a text goes into the index, and what of a query is looked for in it: terms, each for a purpose. Pure. */
import { isStop, isSyllabic, type Language, languageOf, likelyLanguages, stemOf } from './languages.ts'
import { foldWord, type Word, wordsOf } from './words.ts'

/** A purpose and a word; only its keyed hash is kept. */
export type Term = `${'word' | 'prefix' | 'kin'}:${string}`

export interface EntryTerms {
  /** Words as they stand, and beginnings of words when asked for; repeated as often as they are there. */
  readonly words: readonly Term[]
  /** Their stems, in the language of the text; pairs of neighbours where it puts spaces between syllables. */
  readonly kin: readonly Term[]
  readonly language: Language
}

/** A word of a query: an entry has it by any of these terms, or by all of its parts. */
export interface Clause {
  readonly whole: Term
  /** Stems of it, and for the last word of a query that is being typed, the beginning. */
  readonly kin: readonly Term[]
  readonly parts: readonly { readonly word: Term; readonly kin: readonly Term[] }[]
}

const longestPrefix = 12
/** A query of more words is cut. */
const mostWords = 40
/** Reading on is of no use for a query. */
const mostText = 20_000
/** Where no frequent word tells the language. */
const fallback: Language = 'en'

const latin = /^\p{Script=Latin}+$/u
const scripts: Readonly<Record<Language, RegExp>> = {
  ru: /^\p{Script=Cyrillic}+$/u,
  el: /^\p{Script=Greek}+$/u,
  ar: /^\p{Script=Arabic}+$/u,
}
const isOf = (language: Language, word: string): boolean => (scripts[language] ?? latin).test(word)
const hasStem = (language: Language, word: string): boolean =>
  !isSyllabic(language) && isOf(language, word) && !isStop(language, word)

export const termsOf = (text: string, prefixes = false): EntryTerms => {
  const found = wordsOf(text)
  const language = languageOf(found) ?? fallback
  const words: Term[] = []
  const kin: Term[] = []
  for (const { whole, parts } of found) {
    for (const word of [whole, ...parts]) {
      words.push(`word:${word}`)
      if (hasStem(language, word)) kin.push(kinTerm(language, word))
      if (prefixes) for (const start of startsOf(word)) words.push(`prefix:${start}`)
    }
  }
  if (isSyllabic(language)) for (const { pair } of pairsOf(text)) kin.push(pair)
  return { words, kin, language }
}

const syllable = /[\p{L}\p{M}\p{N}]+/gu

/** Each syllable with the one behind it, across hyphens and marks of every kind; `first` as words are folded. */
const pairsOf = (text: string): { first: string; pair: Term }[] => {
  const all = (text.normalize('NFC').match(syllable) ?? []).map(foldWord)
  return all.slice(1).map((second, at) => ({ first: all[at] ?? '', pair: `kin:${all[at]} ${second}` }))
}

const kinTerm = (language: Language, word: string): Term => `kin:${stemOf(language, word)}`

const startsOf = (word: string): string[] => {
  const signs = Array.from(word).slice(0, longestPrefix)
  return signs.map((_, at) => signs.slice(0, at + 1).join(''))
}

/** `known`: the languages of what is in the index. Words that say nothing are left out unless nothing else is there. */
export const clausesOf = (text: string, known: readonly Language[], typing = false): Clause[] => {
  const all = wordsOf(text.slice(0, mostText), true)
  const last = typing ? lastPrefix(text, all) : null
  const likely = likelyLanguages(all, known)
  const meaningful = all.filter(({ whole }) => !likely.some((language) => isStop(language, whole)))
  const clauses = new Map<string, Clause>()
  for (const { whole, parts } of meaningful.length > 0 ? meaningful : all) {
    if (clauses.size >= mostWords) break
    clauses.set(whole, {
      whole: `word:${whole}`,
      kin: kinOf(whole, known),
      parts: parts.map((part) => ({ word: `word:${part}` as const, kin: kinOf(part, known) })),
    })
  }
  if (known.some(isSyllabic))
    for (const { first, pair } of pairsOf(text.slice(0, mostText))) {
      const clause = clauses.get(first)
      if (clause) clauses.set(first, { ...clause, kin: [...clause.kin, pair] })
    }
  if (last !== null) {
    const { word, start } = last
    const clause = clauses.get(word)
    if (clause) clauses.set(word, { ...clause, kin: [...clause.kin, `prefix:${start}`] })
    else clauses.set(word, { whole: `word:${word}`, kin: [`prefix:${start}`], parts: [] })
  }
  return [...clauses.values()]
}

/** The word that is still being typed; a single letter is one here. */
const lastPrefix = (text: string, words: readonly Word[]): { word: string; start: string } | null => {
  if (!/[\p{L}\p{N}\p{M}]$/u.test(text)) return null
  const [piece] = text.slice(-mostText).match(/[\p{L}\p{N}\p{M}]+$/u) ?? []
  if (piece === undefined) return null
  const start = foldWord(Array.from(piece).slice(0, longestPrefix).join(''))
  return {
    word: words.at(-1)?.whole.endsWith(foldWord(piece)) ? (words.at(-1)?.whole ?? piece) : foldWord(piece),
    start,
  }
}

const kinOf = (word: string, known: readonly Language[]): Term[] => [
  ...new Set(known.filter((language) => hasStem(language, word)).map((language) => kinTerm(language, word))),
]

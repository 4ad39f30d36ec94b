/** Turns texts into keyed hashes of their words. Runs on a worker thread when there is much. */
import { createHmac, type KeyObject } from 'node:crypto'
import { createCache } from '../../cache/cache.ts'
import type { Language } from './languages.ts'
import { type Term, termsOf } from './terms.ts'
import type { TextEntry } from './types.ts'

export interface HashTask {
  readonly key: KeyObject
  readonly entries: readonly TextEntry[]
}

/** An entry without its text. */
export interface HashedEntry {
  readonly id: string
  readonly group: string
  readonly partition: string
  readonly time: number
  /** Hashes, with a space before and after each. */
  readonly facets: string
  /** Hashes of 16 hexadecimal digits, with spaces between them, in order and as often as they are there. */
  readonly words: string
  readonly kin: string
  readonly language: Language
}

export const hashEntries = ({ key, entries }: HashTask): HashedEntry[] => {
  const hash = hasherOf(key)
  return entries.map(({ id, group, partition, time, facets, text, prefixes }) => {
    const { words, kin, language } = termsOf(text, prefixes)
    return {
      id,
      group,
      partition,
      time,
      language,
      facets: facetsLine(hash, facets),
      words: words.map(hash).join(' '),
      kin: kin.map(hash).join(' '),
    }
  })
}

/** One key is used all the time, and the words of one text come again in the next. */
let last: { key: KeyObject; hash: Hash } | null = null
const hasherOf = (key: KeyObject): Hash => {
  if (!last?.key.equals(key)) last = { key, hash: createHasher(key) }
  return last.hash
}

export type Hash = (term: Term | `facet:${string}` | `shelf:${string}` | `group:${string}`) => string

/** Gives the first 64 bits of HMAC-SHA-256 in hexadecimal digits; remembers the hashes of its last words. */
export const createHasher = (key: KeyObject): Hash => {
  const known = createCache<string>({ max: 50_000 })
  return (term) => {
    const before = known.get(term)
    if (before !== undefined) return before
    const hash = createHmac('sha256', key).update(term, 'utf8').digest('hex').slice(0, 16)
    known.set(term, hash)
    return hash
  }
}

export const facetsLine = (hash: Hash, facets: readonly string[]): string =>
  facets.map((facet) => ` ${hash(`facet:${facet}`)} `).join('')

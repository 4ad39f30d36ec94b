/** Where in a text a list is asked for, and what of the list fits. Pure. */
import type { TriggerEntry } from './types.ts'

/** A sign before the caret, and what was typed after it. */
export interface FoundTrigger {
  readonly sign: string
  /** Where the sign stands. */
  readonly from: number
  readonly query: string
}

/** Nobody looks for more than this. */
const longestQuery = 60

/**
 * The sign that the caret is behind: at the beginning of the text or after a space, and in the same line. What stands
 * behind the caret does not count.
 */
export function findTrigger(text: string, caret: number, signs: readonly string[]): FoundTrigger | null {
  for (let from = caret - 1; from >= 0 && caret - from - 1 <= longestQuery; from--) {
    const letter = text[from] ?? ''
    if (letter === '\n') return null
    if (!signs.includes(letter)) continue
    if (from > 0 && !/[\s([{"'“«]/.test(text[from - 1] ?? '')) continue
    const query = text.slice(from + 1, caret)
    // `# Heading` and `/ ` are no searches.
    return /^\s/.test(query) || query.startsWith(letter) ? null : { sign: letter, from, query }
  }
  return null
}

/** The text without the sign and what was typed after it, and where the caret stands then. */
export function withoutTrigger(text: string, { from, query }: FoundTrigger): { text: string; caret: number } {
  const before = text.slice(0, from)
  const after = text.slice(from + 1 + query.length)
  // No two spaces are left where the sign stood between words.
  const rest = /\s$/.test(before) && after.startsWith(' ') ? after.slice(1) : after
  return { text: before + rest, caret: from }
}

/** The entries that hold every word, section by section as they were given, in each the best first. */
export function filterEntries(entries: readonly TriggerEntry[], query: string): readonly TriggerEntry[] {
  const words = plain(query).split(/\s+/).filter(Boolean)
  if (words.length === 0) return entries
  const sections = new Map<string | undefined, { entry: TriggerEntry; score: number }[]>()
  for (const entry of entries) {
    const score = scoreOf(entry, words)
    if (score === 0) continue
    const rows = sections.get(entry.section)
    if (rows) rows.push({ entry, score })
    else sections.set(entry.section, [{ entry, score }])
  }
  return [...sections.values()].flatMap((rows) => rows.sort((a, b) => b.score - a.score).map(({ entry }) => entry))
}

function scoreOf({ name, words: more = '' }: TriggerEntry, words: readonly string[]): number {
  const own = plain(name)
  const other = plain(more)
  let sum = 0
  for (const word of words) {
    const best = Math.max(fit(own, word) * 2, fit(other, word))
    if (best === 0) return 0
    sum += best
  }
  return sum
}

function fit(text: string, word: string): number {
  const at = text.indexOf(word)
  if (at < 0) return 0
  if (at === 0) return 3
  return /[^\p{L}\p{N}]/u.test(text[at - 1] ?? '') ? 2 : 1
}

const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

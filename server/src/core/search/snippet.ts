/** The words of a text around what was searched for, and which stretches of them matched. Pure. */

export interface Snippet {
  readonly snippet: string
  /** Offsets into `snippet`, in UTF-16 units, in order. */
  readonly matches: [number, number][]
}

const length = 240
const before = 60
/** Reading on is of no use. */
const mostText = 200_000

interface Run {
  readonly start: number
  readonly end: number
  /** The word of the query that it stands for. */
  readonly word: string
}

/**
 * At most about 240 characters, where most of the different words stand. Words match as they are, as a near relative
 * (`charging` and `charge`), and the last one as a beginning, too. Without a match it is the text's beginning.
 */
export const snippetOf = (text: string, query: string): Snippet => {
  const found = matchesIn(text.slice(0, mostText), wanted(query))
  const at = bestStart(found)
  const from = at === null ? 0 : wordBorder(text, Math.max(0, at - before))
  const to = wordEnd(text, Math.min(text.length, from + length))
  const [lead, tail] = [from > 0 ? '… ' : '', to < text.length ? ' …' : '']
  const shift = lead.length - from
  return {
    // One for one, so that offsets stay.
    snippet: lead + text.slice(from, to).replace(/\s/g, ' ') + tail,
    matches: found
      .filter(({ start, end }) => start >= from && end <= to)
      .map((run) => [run.start + shift, run.end + shift]),
  }
}

const runs = /[\p{L}\p{N}\p{M}]+/gu
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/u

const fold = (word: string): string => word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss')

const wanted = (query: string): string[] =>
  [...new Set((query.slice(0, 2000).match(runs) ?? []).map(fold))].slice(0, 40)

const matchesIn = (text: string, words: readonly string[]): Run[] => {
  const found: Run[] = []
  const last = words.at(-1)
  for (const { 0: run, index: start } of text.matchAll(runs)) {
    if (unspaced.test(run)) found.push(...inside(run, start, words))
    else {
      const folded = fold(run)
      const word = words.find(
        (each) => each === folded || isKin(each, folded) || (each === last && folded.startsWith(each)),
      )
      if (word !== undefined) found.push({ start, end: start + run.length, word })
    }
  }
  return found
}

/** Where no spaces are between words, a word of the query may stand anywhere. */
const inside = (run: string, start: number, words: readonly string[]): Run[] => {
  const lower = run.toLowerCase()
  return words
    .flatMap((word) => {
      const at = lower.indexOf(word)
      return at < 0 ? [] : [{ start: start + at, end: start + at + word.length, word }]
    })
    .sort((a, b) => a.start - b.start)
    .filter((one, at, all) => at === 0 || one.start >= (all[at - 1]?.end ?? 0))
}

/** They begin alike for most of the shorter one, and end a little differently. */
const isKin = (a: string, b: string): boolean => {
  const shorter = Math.min(a.length, b.length)
  if (shorter < 5 || Math.abs(a.length - b.length) > 4) return false
  let same = 0
  while (same < shorter && a[same] === b[same]) same++
  return same >= 0.7 * shorter
}

/** The match from which on most different words stand within a snippet; null: there is none. */
const bestStart = (found: readonly Run[]): number | null => {
  let best: { start: number; different: number } | null = null
  for (const [at, { start }] of found.slice(0, 2000).entries()) {
    const different = new Set<string>()
    for (let next = at; next < found.length; next++) {
      const run = found[next]
      if (!run || run.end > start + length - before) break
      different.add(run.word)
    }
    if (!best || different.size > best.different) best = { start, different: different.size }
  }
  return best?.start ?? null
}

const wordBorder = (text: string, at: number): number => {
  if (at === 0) return 0
  const space = text.slice(at, at + before).search(/\s/)
  return space < 0 ? whole(text, at) : at + space + 1
}
const wordEnd = (text: string, at: number): number => {
  if (at >= text.length) return text.length
  const space = text.slice(at - 40, at).search(/\s\S*$/)
  return space < 0 ? whole(text, at) : at - 40 + space
}
/** Not in the middle of a sign of two units. */
const whole = (text: string, at: number): number => (/[\udc00-\udfff]/.test(text[at] ?? '') ? at - 1 : at)

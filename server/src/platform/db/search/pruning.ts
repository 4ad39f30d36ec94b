/**
 * Which entries of those with any word of a query need a score. A frequent word adds little to it: an entry with nothing
 * but such words cannot come before those that are found by the rarer ones (MaxScore). Pure.
 */

export interface Frequency {
  readonly hash: string
  /** How many entries have it. */
  readonly entries: number
}

/** Fewer entries than this are scored at once, without a plan. */
const fewEntries = 12_000
/** About so many are scored to learn what the last of the best hits is worth. */
const trialEntries = 4000
/** Frequencies may be some per cent old. */
const margin = 1.1

/** What a term adds at most, however often it stands in however short an entry: idf × (k1 + 1). */
const most = (entries: number, of: number): number => Math.max(1e-6, inverse(entries / margin, of)) * 2.2
const inverse = (entries: number, of: number): number => Math.log((of - entries + 0.5) / (entries + 0.5))

/** Terms in more than half of all entries say nothing, so they are left out where another one is there. */
export const dropCommonTerms = (terms: readonly Frequency[], of: number): readonly Frequency[] => {
  const kept = terms.filter(({ entries }) => entries * 2 <= of)
  return kept.some(({ entries }) => entries > 0) ? kept : terms
}

/** The rarest terms, to try first; null when everything may as well be scored at once. `share` of the entries is in scope. */
export const pickTrialTerms = (terms: readonly Frequency[], share: number): readonly Frequency[] | null => {
  const rarest = [...terms].sort((a, b) => a.entries - b.entries)
  if (rarest.reduce((sum, { entries }) => sum + entries * share, 0) <= fewEntries) return null
  let sum = 0
  const few = rarest.filter(({ entries }, at) => {
    sum += entries * share
    return at === 0 || sum <= trialEntries
  })
  return few.length < terms.length ? few : null
}

/**
 * Which entries can come to a score, as an expression: those with a word that is enough by itself, with two of the others,
 * or with one of them beside a frequent one. An entry with one word of middling frequency, and most have no more, is out.
 * Null: all can. `words`: the terms of each word of the query.
 */
export const expressHits = (words: readonly (readonly Frequency[])[], of: number, score: number): string | null => {
  const sorted = mergeShared(words)
    .map((terms) => ({ terms, worth: terms.reduce((sum, { entries }) => sum + most(entries, of), 0) }))
    .sort((a, b) => b.worth - a.worth)
  const worthFrom = (at: number): number => sorted.slice(at).reduce((sum, { worth }) => sum + worth, 0)
  const alone = sorted.filter(({ worth }) => worth >= score)
  const paired = sorted.filter(({ worth }, at) => worth < score && worthFrom(at) >= score)
  const counted = alone.length + paired.length
  if (counted === alone.length && counted === sorted.length) return null
  const partners = sorted.filter((_, at) => at >= counted && (paired[0]?.worth ?? 0) + worthFrom(at) >= score)
  return [
    ...alone.map(({ terms }) => anyOf(terms)),
    ...(paired.length > 0 && partners.length > 0 ? [bothOf(paired, partners)] : []),
    ...twoOf(paired),
  ].join(' OR ')
}

interface Word {
  readonly terms: readonly Frequency[]
}

const anyOf = (terms: readonly Frequency[]): string => terms.map(({ hash }) => `"${hash}"`).join(' OR ')
const bothOf = (one: readonly Word[], other: readonly Word[]): string =>
  `((${anyOf(one.flatMap(({ terms }) => terms))}) AND (${anyOf(other.flatMap(({ terms }) => terms))}))`

/** Alternatives of which one is true where two of the words are: one of each half, or two of a half. */
const twoOf = (words: readonly Word[]): string[] => {
  if (words.length < 2) return []
  const half = Math.ceil(words.length / 2)
  const [first, second] = [words.slice(0, half), words.slice(half)]
  return [bothOf(first, second), ...twoOf(first), ...twoOf(second)]
}

/** Words that share a term are one; each term stands in one of them. */
const mergeShared = (words: readonly (readonly Frequency[])[]): Frequency[][] => {
  const merged: Map<string, Frequency>[] = []
  for (const terms of words) {
    const own = new Map(terms.map((term) => [term.hash, term]))
    for (const other of merged.filter((one) => terms.some(({ hash }) => one.has(hash)))) {
      for (const [hash, term] of other) own.set(hash, term)
      merged.splice(merged.indexOf(other), 1)
    }
    if (own.size > 0) merged.push(own)
  }
  return merged.map((terms) => [...terms.values()])
}

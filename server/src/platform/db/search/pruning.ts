/**
 * Which words of a query have to be looked for, and which need only be counted. A frequent word adds little to a score:
 * an entry with nothing but such words cannot come before those that are found by the rarer ones (MaxScore). Pure.
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

/** Splits terms by the score that the last of the best hits has at least. */
export const splitByScore = (
  terms: readonly Frequency[],
  of: number,
  score: number,
): { readonly needed: readonly Frequency[]; readonly counted: readonly Frequency[] } => {
  const counted: Frequency[] = []
  let sum = 0
  for (const term of [...terms].sort((a, b) => b.entries - a.entries)) {
    sum += most(term.entries, of)
    if (sum >= score) break
    counted.push(term)
  }
  return { counted, needed: terms.filter((term) => !counted.includes(term)) }
}

/** Several rankings become one: reciprocal-rank fusion (Cormack, Clarke and Büttcher 2009), k = 60. Pure. */

const k = 60

/**
 * Ids by the sum of `1 / (k + rank)` over the rankings that have them, best first. Scores of the rankings themselves
 * are not compared. Of equals, the one that stands first in the earliest ranking comes first.
 */
export const fuseRankings = (rankings: readonly (readonly string[])[]): { id: string; score: number }[] => {
  const scores = new Map<string, number>()
  for (const ranking of rankings)
    for (const [at, id] of ranking.entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (k + at + 1))
  return [...scores].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score)
}

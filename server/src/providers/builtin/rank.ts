/** BM25 over a handful of passages. */

export interface RankedText {
  readonly index: number
  readonly score: number
}

const k1 = 1.2
const b = 0.75

/**
 * Ranks texts (as words) by a question (as words), best first; equal scores keep their order.
 * A text qualifies only when it holds at least one whole word of the question; words that say nothing ("the") count
 * only where the question has no others.
 */
export function rank(question: readonly string[], texts: readonly (readonly string[])[]): RankedText[] {
  const all = [...new Set(question)]
  const meaningful = all.filter((word) => !stopWords.has(word))
  const wanted = new Set(meaningful.length > 0 ? meaningful : all)
  if (wanted.size === 0 || texts.length === 0) return []
  const counts = texts.map((words) => countOf(words, wanted))
  const mean = texts.reduce((sum, words) => sum + words.length, 0) / texts.length || 1
  const weights = new Map([...wanted].map((word) => [word, weightOf(word, counts)]))
  return counts
    .map((count, index) => {
      const norm = k1 * (1 - b + (b * (texts[index]?.length ?? 0)) / mean)
      let score = 0
      for (const [word, times] of count) score += ((weights.get(word) ?? 0) * times * (k1 + 1)) / (times + norm)
      return { index, score }
    })
    .filter(({ score }) => score > 0)
    .sort((x, y) => y.score - x.score || x.index - y.index)
}

function countOf(words: readonly string[], wanted: ReadonlySet<string>): Map<string, number> {
  const count = new Map<string, number>()
  for (const word of words) if (wanted.has(word)) count.set(word, (count.get(word) ?? 0) + 1)
  return count
}

/** Rare words weigh more; never nothing, so that a word in every passage still qualifies. */
function weightOf(word: string, counts: readonly ReadonlyMap<string, number>[]): number {
  const holding = counts.filter((count) => count.has(word)).length
  return Math.log(1 + (counts.length - holding + 0.5) / (holding + 0.5))
}

const stopWords = new Set(
  `a about an and any are as at be been but by can could did do does for from had has have he her his how i if in into is
  it its just me more my no not of on or our please she should so some tell than that the their them then there these
  they this to was we were what when where which who why will with would you your
  ما ماذا من هل في على عن الى إلى هذا هذه ذلك التي الذي كيف متى اين أين لماذا و أو ان أن إن هو هي كم مع لا
  der die das und ist ein eine wie was wer wo im in zu den von mit für auf
  le la les un une des et est que qui quoi dans pour sur avec du de
  el los las una que es en con por para del`
    .split(/\s+/)
    .map((word) =>
      word
        .normalize('NFKD')
        .replace(/[\u0300-\u036f\u064b-\u065f\u0670\u0640]/g, '')
        .normalize('NFC'),
    ),
)

/** The passages of some pages that answer a question best; runs on a thread of its own. */
import { passagesOf } from '../../providers/builtin/passages.ts'
import { rank } from '../../providers/builtin/rank.ts'
import { wordsOf } from '../../providers/builtin/words.ts'

export interface PageToRank {
  readonly url: string
  readonly title: string
  /** What the engine said of it. */
  readonly content: string
  /** Its text, when it was read. */
  readonly text: string | null
}

export interface RankedPassage {
  readonly url: string
  readonly title: string
  readonly text: string
  readonly score: number
}

/** No page may crowd out the others. */
const mostOfOne = 2
const passageLength = 900

/**
 * Ranks by BM25, and gives at most `most` passages. A page that was found and holds none of the words is still there with
 * what the engine said of it, after all that do.
 */
export const choosePassages = ({
  queries,
  pages,
  most,
}: {
  readonly queries: readonly string[]
  readonly pages: readonly PageToRank[]
  readonly most: number
}): RankedPassage[] => {
  const all = pages.flatMap((page) => [
    ...(page.text === null
      ? []
      : passagesOf(page.text).map(({ text }) => ({ page, text: text.slice(0, passageLength) }))),
    ...(page.content === '' ? [] : [{ page, text: page.content }]),
  ])
  const ranked = rank(
    wordsOf(queries.join(' ')),
    all.map(({ page, text }) => wordsOf(`${page.title} ${text}`)),
  )
  const chosen: RankedPassage[] = []
  const count = new Map<string, number>()
  const take = ({ page, text }: (typeof all)[number], score: number): void => {
    const before = count.get(page.url) ?? 0
    if (before >= mostOfOne || chosen.length >= most) return
    // What the engine quotes is often a part of what was read.
    if (chosen.some((other) => other.url === page.url && (other.text.includes(text) || text.includes(other.text))))
      return
    count.set(page.url, before + 1)
    chosen.push({ url: page.url, title: page.title, text, score: Math.round(score * 1000) / 1000 })
  }
  for (const { index, score } of ranked) {
    const found = all[index]
    if (found) take(found, score)
  }
  for (const found of all) if (!count.has(found.page.url)) take(found, 0)
  return chosen
}

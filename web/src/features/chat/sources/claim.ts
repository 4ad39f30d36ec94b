/** The sentence of an answer that a mark stands behind: what a document is looked at for. */
import { citationMarks } from '../../../blocks/markdown/citations.tsx'

/** Of a mark on the page, from the block of text around it. */
export function claimOfMark(mark: Element): string {
  const block = mark.closest('p, li, td, th, dd, blockquote, h1, h2, h3, h4, h5, h6')
  if (!block) return ''
  const place = mark.closest('.cited') ?? mark
  const before = document.createRange()
  before.selectNodeContents(block)
  before.setEndBefore(place)
  const after = document.createRange()
  after.selectNodeContents(block)
  after.setStartAfter(place)
  return claimAt(before.toString(), after.toString())
}

/** Of a source, every sentence that cites its number. */
export function claimsOf(content: string, number: number | undefined): string {
  if (number === undefined) return ''
  const claims = content.split('\n').flatMap((line) =>
    [...line.matchAll(citationMarks)]
      .filter(([mark]) =>
        mark
          .replace(/[†:].*/, '')
          .match(/\d+/g)
          ?.includes(String(number)),
      )
      .map((match) => claimAt(line.slice(0, match.index), line.slice(match.index + match[0].length))),
  )
  return [...new Set(claims)].join(' ').slice(0, 2000)
}

/** The sentence around a mark, or the one before it where the mark follows its full stop. */
export function claimAt(before: string, after: string): string {
  const head = sentencesOf(before)
  const last = head.at(-1)?.trim() ?? ''
  const isWhole = /[.!?…。！？؟]["'”’)]*$/.test(last) || /^[\s*_"'”’)]*[.!?…。！？؟]/.test(after)
  if (last && isWhole) return last
  const rest = sentencesOf(after)[0]?.trim() ?? ''
  return [last, rest].filter(Boolean).join(' ')
}

function sentencesOf(text: string): string[] {
  const plain = text.replaceAll(citationMarks, ' ').replaceAll(/[*_`#>|]+/g, ' ')
  return [...new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(plain)]
    .map(({ segment }) => segment)
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
}

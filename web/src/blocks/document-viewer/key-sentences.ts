/**
 * Which sentences of a passage a claim rests on. A passage is about a thousand characters; the sentence that an answer
 * cites is one or two of them. Words are compared by their beginnings, so that other forms of them count too; rare words
 * and figures weigh more. Where little matches (another language, a summary of all of it) nothing is picked.
 */
import type { TextRange } from './text-ranges.ts'

const most = 3

/** The ranges of `content` inside `passage` that say what `claim` says, in their order; touching ones are one. */
export function keySentences(content: string, passage: TextRange, claim: string): TextRange[] {
  const wanted = new Set(termsOf(claim))
  if (wanted.size === 0) return []
  const sentences = sentencesOf(content, passage).map((range) => {
    const terms = new Set(termsOf(content.slice(range.start, range.end)))
    return { range, shared: [...terms].filter((term) => wanted.has(term)) }
  })
  if (sentences.length < 2) return []
  const spread = new Map<string, number>()
  for (const { shared } of sentences) for (const term of shared) spread.set(term, (spread.get(term) ?? 0) + 1)
  const weigh = (term: string) => (isFigure(term) ? 2 : 1) / (spread.get(term) ?? 1)
  const scored = sentences.map(({ range, shared }) => ({
    range,
    score: shared.length > 1 || shared.some(isFigure) ? shared.reduce((sum, term) => sum + weigh(term), 0) : 0,
  }))
  const best = Math.max(...scored.map(({ score }) => score))
  if (best < 1) return []
  const picked = scored
    .filter(({ score }) => score >= best * 0.6)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ range }) => range)
    .toSorted((a, b) => a.start - b.start)
  return joined(content, picked)
}

const isFigure = (term: string) => /\d{2}/.test(term)

/** What words mean by their beginnings: five letters of long ones, pairs of signs where words are not parted by blanks. */
function termsOf(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/\p{N}+(?:[.,]\p{N}+)*|[\p{L}\p{M}]+/gu) ?? []
  ).flatMap((word) => {
    if (/\p{N}/u.test(word)) return [word.replaceAll(/[.,]/g, '')]
    if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(word))
      return Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2))
    // Short Latin words are mostly articles.
    return word.length > 3 || !/^[a-z]+$/.test(word) ? [word.slice(0, 5)] : []
  })
}

/** Sentences, not cut where a line is only broken; a very long one (a table, a list) line by line. */
function sentencesOf(content: string, { start, end }: TextRange): TextRange[] {
  const text = content.slice(start, end)
  const flowing = text.replaceAll(/(?<!\n)\r?\n(?!\r?\n|\s*[-*•|#\d])/g, (line) => ' '.repeat(line.length))
  const segments = new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(flowing)
  return [...segments].flatMap(({ segment, index }) => {
    if (!segment.trim()) return []
    if (segment.length <= 600) return [trimmed(text, index, index + segment.length, start)]
    let at = index
    return text
      .slice(index, index + segment.length)
      .split(/(?<=\n)/)
      .map((line) => {
        const from = at
        at += line.length
        return trimmed(text, from, at, start)
      })
      .filter((range) => range.end > range.start)
  })
}

function trimmed(text: string, from: number, to: number, offset: number): TextRange {
  const piece = text.slice(from, to)
  const start = from + piece.length - piece.trimStart().length
  return { start: offset + start, end: offset + Math.max(start, from + piece.trimEnd().length) }
}

function joined(content: string, ranges: readonly TextRange[]): TextRange[] {
  const out: TextRange[] = []
  for (const range of ranges) {
    const last = out.at(-1)
    if (last && !content.slice(last.end, range.start).trim())
      out[out.length - 1] = { start: last.start, end: range.end }
    else out.push(range)
  }
  return out
}

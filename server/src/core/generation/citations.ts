/** Which of its sources an answer cites. Pure. */
import type { Source } from '@atrium/contract/generation'

/** Says of each numbered source whether the text cites it; sources without numbers stay as they are. */
export const markCited = (sources: readonly Source[], text: string): Source[] => {
  if (sources.every((source) => source.number === undefined)) return [...sources]
  const cited = citedNumbers(text.slice(0, longestText))
  return sources.map((source) =>
    source.number === undefined ? source : { ...source, cited: cited.has(source.number) },
  )
}

const numbers = String.raw`\s*\d{1,4}(?:\s*[-–—,;]\s*\d{1,4}){0,40}\s*`
const mark = new RegExp(String.raw`\[${numbers}\]|【${numbers}(?:†[^】\n]{0,200})?】|［${numbers}］`, 'y')
/** `[1-900]` is no citation of nine hundred sources. */
const widestRange = 40
/** A link's address is looked for no farther than this. */
const longestAddress = 1200
/** Of a text, so much is looked through: longer than any answer that a model writes. */
const longestText = 500_000

/**
 * The numbers that a Markdown text names in brackets: `[1]`, `[1, 2]`, `[1][2]`, `【1】`, `[1-3]`. Those in code, in
 * mathematics and in links are none. One pass, whatever the text holds.
 */
export const citedNumbers = (markdown: string): Set<number> => {
  const text = withoutFences(markdown)
  const found: number[] = []
  /** How much had been found where each open bracket began. */
  const open: number[] = []
  const ends = spanEnds(text)
  const afterAddress = addresses(text)
  const afterEscape = escapes(text)
  for (let at = 0; at < text.length; ) {
    const sign = text[at]
    if (sign === '\\') at = afterEscape(at)
    else if (sign === '`') at = ends.get(at) ?? afterRun(text, at)
    else if (sign === '$') at = afterMath(text, at)
    else if (sign === '[' || sign === '【' || sign === '［') {
      mark.lastIndex = at
      const hit = mark.exec(text)?.[0]
      const end = at + (hit?.length ?? 1)
      const link = hit && sign === '[' ? afterAddress(end) : null
      if (link !== null) at = link
      else {
        if (hit) found.push(...numbersOf(hit))
        else if (sign === '[') open.push(found.length)
        at = end
      }
    } else if (sign === ']') {
      const before = open.pop()
      const link = afterAddress(at + 1)
      if (link !== null && before !== undefined) found.length = before
      at = link ?? at + 1
    } else at += 1
  }
  return new Set(found)
}

const numbersOf = (hit: string): number[] => {
  const inside = hit.slice(1, -1).replace(/†.*$/, '')
  return inside.split(/[,;]/).flatMap((part) => {
    const [first, last = first] = part.split(/[-–—]/).map(Number)
    if (first === undefined || last === undefined || last < first || last - first > widestRange) return []
    return Array.from({ length: last - first + 1 }, (_, n) => first + n)
  })
}

/** Fenced blocks become empty lines. */
const withoutFences = (markdown: string): string => {
  let fence: string | null = null
  return markdown
    .split('\n')
    .map((line) => {
      const mark: string | undefined = /^\s{0,12}(?:>\s?){0,100}\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1]
      if (fence !== null) {
        if (mark?.startsWith(fence) && line.trim().endsWith(mark)) fence = null
        return ''
      }
      if (mark === undefined) return line
      fence = mark
      return ''
    })
    .join('\n')
}

/** Where each code span ends, by where it begins: a run of backticks up to the next run of the same length. */
const spanEnds = (text: string): Map<number, number> => {
  const runs = [...text.matchAll(/`+/g)].map((run) => ({ at: run.index, length: run[0].length }))
  const nextOfLength = new Map<number, number>()
  const ends = new Map<number, number>()
  for (const { at, length } of runs.reverse()) {
    const next = nextOfLength.get(length)
    if (next !== undefined) ends.set(at, next + length)
    nextOfLength.set(length, at)
  }
  return ends
}

const afterRun = (text: string, at: number): number => {
  let end = at
  while (text[end] === '`') end += 1
  return end
}

/** Gives the place past an escaped sign, or past mathematics in `\(…\)` or `\[…\]`. To be asked from front to back. */
const escapes = (text: string) => {
  const closings = { '(': nextOf(text, '\\)'), '[': nextOf(text, '\\]') }
  return (at: number): number => {
    const sign = text[at + 1]
    const end = sign === '(' || sign === '[' ? closings[sign](at + 2) : -1
    return end === -1 || end > at + longestAddress ? at + 2 : end + 2
  }
}

/** Finds a sign from a place on; -1 where there is none. What was found is not looked for again. */
const nextOf = (text: string, sign: string) => {
  let found = -2
  return (from: number): number => {
    if (found !== -1 && found < from) found = text.indexOf(sign, from)
    return found
  }
}

/** Past mathematics in `$…$` on one line or `$$…$$`; a lone sign is money. */
const afterMath = (text: string, at: number): number => {
  const near = text.slice(at, at + longestAddress)
  if (near.startsWith('$$')) {
    const end = near.indexOf('$$', 2)
    return at + (end === -1 ? 2 : end + 2)
  }
  const inside = /^\$(?!\s)[^$\n]*[^$\s]\$(?!\d)/.exec(near)?.[0]
  return at + (inside?.length ?? 1)
}

/** Gives the place past an `(address)` that stands right there; null where there is none. To be asked from front to back. */
const addresses = (text: string) => {
  const next = nextOf(text, ')')
  return (at: number): number | null => {
    if (text[at] !== '(') return null
    const closing = next(at)
    // Without a sign that closes it nearby there is nothing to look through.
    return closing === -1 || closing > at + longestAddress ? null : afterAddressAt(text, at)
  }
}

const afterAddressAt = (text: string, at: number): number | null => {
  const end = /^\([^\s()]*(?:\([^\s()]*\)[^\s()]*)*(?:\s+["'(][^\n]*?)?\)/.exec(
    text.slice(at, at + longestAddress),
  )?.[0]
  return end === undefined ? null : at + end.length
}

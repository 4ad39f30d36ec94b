/** Where a text may be cut. Each search is limited to a bounded range before the cut, so cutting stays linear. */

/** How a text is laid out decides where it is best cut. */
export type TextLayout = 'prose' | 'code' | 'rows'

/**
 * The best end for a passage that begins at `start` and may reach to `limit`: after a paragraph, a sentence, a line, a
 * word, in this order, if that is not before `least`; else between two characters. Code and rows are cut at lines as
 * long as a line fits. Always more than `start`, and at most `limit` but for a character longer than all that.
 */
export const bestEnd = (text: string, start: number, least: number, limit: number, layout: TextLayout): number => {
  if (layout === 'prose') {
    return (
      paragraphEnd(text, least, limit) ??
      sentenceEnd(text, least, limit) ??
      lineEnd(text, least, limit) ??
      wordEnd(text, start, least, limit) ??
      characterEnd(text, start, limit)
    )
  }
  const paragraph = layout === 'code' ? paragraphEnd(text, least, limit) : null
  return (
    paragraph ??
    lineEnd(text, start + 1, limit) ??
    wordEnd(text, start, least, limit) ??
    characterEnd(text, start, limit)
  )
}

/** Where the passage after the one from `start` to `end` may begin so that it says again what stands after `least`; `end` where nothing fits. */
export const bestStart = (text: string, start: number, least: number, end: number, layout: TextLayout): number => {
  if (layout === 'rows' || least >= end) return end
  if (layout === 'code') return lineStart(text, least, end) ?? end
  return sentenceStart(text, least, end) ?? wordStart(text, start, least, end) ?? end
}

/** After the last blank line. */
const paragraphEnd = (text: string, least: number, limit: number): number | null => {
  for (let at = lastIn(text, '\n', least, limit); at !== null; at = lastIn(text, '\n', least, at)) {
    let before = at - 1
    while (before >= least && isBlank(text.charCodeAt(before))) before--
    if (text[before] === '\n') return at + 1
    at = before + 1
  }
  return null
}

const lineEnd = (text: string, least: number, limit: number): number | null => {
  const at = lastIn(text, '\n', least - 1, limit)
  return at === null ? null : at + 1
}

const lineStart = (text: string, least: number, end: number): number | null => {
  const at = text.indexOf('\n', Math.max(0, least - 1))
  return at < 0 || at + 1 >= end ? null : at + 1
}

/** The last position of `what` within a range. */
const lastIn = (text: string, what: string, from: number, to: number): number | null => {
  for (let at = to - 1; at >= Math.max(from, 0); at--) if (text[at] === what) return at
  return null
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })
const words = new Intl.Segmenter('en', { granularity: 'word' })
const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })

const stretch = 2_000
/** After a limit, for the eyes of the segmenter: whether a sentence ends is decided by what comes next. */
const ahead = 40

/** After the last sentence, also one that ends where a list goes on. */
const sentenceEnd = (text: string, least: number, limit: number): number | null => {
  const from = Math.max(least - ahead, limit - stretch, 0)
  const piece = sameParagraph(text.slice(from, limit + ahead))
  const border = from + (sentences.segment(piece).containing(limit - from)?.index ?? 0)
  const sentence = border >= least && border > from ? border : null
  const item = itemEnd(text, Math.max(least, sentence ?? 0), limit)
  return item ?? sentence
}

/** Lines that wrap are one sentence; to the segmenter, every line end would be the end of one. */
const sameParagraph = (piece: string): string => piece.replaceAll('\n', ' ')

/** Before the last line that begins as an item of a list, a row or an entry of a log does. */
const itemEnd = (text: string, least: number, limit: number): number | null => {
  for (let at = lastIn(text, '\n', least - 1, limit); at !== null; at = lastIn(text, '\n', least - 1, at)) {
    if (item.test(text.slice(at + 1, at + 24))) return at + 1
  }
  return null
}
const item = /^[ \t]{0,12}(?:[-*+•–—] |[|#>[•]|\d{1,3}[.)] |\d{4}-\d\d|\d\d:\d\d)/

const sentenceStart = (text: string, least: number, end: number): number | null => {
  const from = Math.max(least - ahead, end - stretch, 0)
  const piece = sameParagraph(text.slice(from, end))
  for (const { index } of sentences.segment(piece)) {
    const at = skipSpace(text, from + index, end)
    if (from + index >= least && index > 0 && at < end) return at
  }
  return null
}

/** After the last white space; in scripts without any, where a dictionary knows a word to end. */
const wordEnd = (text: string, start: number, least: number, limit: number): number | null => {
  for (let at = limit; at > least; at--) if (isSpace(text.charCodeAt(at - 1))) return at
  if (isPlain(text, limit)) return null
  const border = start + (words.segment(text.slice(start, limit + ahead)).containing(limit - start)?.index ?? 0)
  return border >= least ? border : null
}

const wordStart = (text: string, start: number, least: number, end: number): number | null => {
  for (let at = least; at < end; at++) {
    if (isSpace(text.charCodeAt(at - 1))) {
      const start = skipSpace(text, at, end)
      return start < end ? start : null
    }
  }
  if (isPlain(text, least)) return null
  const word = words.segment(text.slice(start, end)).containing(least - start)
  if (!word) return null
  const at = start + word.index + (start + word.index < least ? word.segment.length : 0)
  return at < end ? at : null
}

/** Between two characters as people see them, however many code points each is made of. */
const characterEnd = (text: string, start: number, limit: number): number => {
  if (isPlain(text, limit)) return limit
  const piece = text.slice(start, limit + ahead)
  const found = characters.segment(piece).containing(limit - start)
  if (found && found.index > 0) return start + found.index
  // One character fills it all. Some are long, but none that means something is as long as this.
  if (found && (found.segment.length < piece.length || limit + ahead >= text.length))
    return start + found.segment.length
  return isLowSurrogate(text.charCodeAt(limit)) ? limit + 1 : limit
}

/** Letters before and after which there is always a border: the plain ones of ASCII. */
const isPlain = (text: string, at: number): boolean => {
  const before = text.charCodeAt(at - 1)
  return before < 0x7f && before !== 13 && text.charCodeAt(at) < 0x7f
}

/** White space as `\s` has it. */
export const isSpace = (code: number): boolean =>
  code === 32 ||
  (code >= 9 && code <= 13) ||
  code === 0xa0 ||
  (code >= 0x1680 && (rareSpaces.has(code) || (code >= 0x2000 && code <= 0x200a)))
const rareSpaces = new Set([0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff])
const isBlank = (code: number): boolean => code !== 10 && isSpace(code)
const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

export const skipSpace = (text: string, from: number, end: number): number => {
  let at = from
  while (at < end && isSpace(text.charCodeAt(at))) at++
  return at
}

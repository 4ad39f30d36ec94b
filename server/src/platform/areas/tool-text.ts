/** Text of results for models: long ones some at a time, and names that stay on their line. */

export interface TextWindow {
  readonly part: string
  /** Where it ends; the next window begins there. */
  readonly end: number
  /** For the model: which characters these are of how many, and how to read on. */
  readonly words: string
}

/**
 * At most `most` UTF-16 units from `offset` on, no character cut in two; null when the text ends before. `again` says how
 * to read on from an offset.
 */
export const textWindow = (
  text: string,
  offset: number,
  most: number,
  again: (offset: number) => string,
): TextWindow | null => {
  if (offset > 0 && offset >= text.length) return null
  const begin = isSplit(text, offset) ? offset - 1 : offset
  const furthest = Math.min(text.length, begin + most)
  const end = isSplit(text, furthest) ? furthest - 1 : furthest
  const rest = end < text.length ? ` To read on, ${again(end)}.` : ''
  return { part: text.slice(begin, end), end, words: `Characters ${begin} to ${end} of ${text.length}.${rest}` }
}

/** A name that somebody gave, on one line, without what is invisible or reorders text. */
export const nameLine = (name: string, most = 200): string => {
  const line = name.replace(/[\s\p{C}]+/gu, ' ').trim()
  return line.length <= most ? line : `${line.slice(0, most - 1).toWellFormed()}…`
}

/** Whether a cut here goes through a pair of surrogates. */
const isSplit = (text: string, at: number): boolean =>
  /[\udc00-\udfff]/.test(text.charAt(at)) && /[\ud800-\udbff]/.test(text.charAt(at - 1))

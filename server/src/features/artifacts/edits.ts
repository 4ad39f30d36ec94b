/** Edits of a text by exact passages, as models make them. Pure. */

export interface Edit {
  readonly oldText: string
  readonly newText: string
  /** Every place, where there are several; else it must be the only one. */
  readonly everywhere: boolean
}

/** `problem`: why nothing was changed, for the model, with the lines that come nearest. */
export type EditOutcome = { readonly text: string } | { readonly problem: string }

/** Makes all edits, one after the other, or none. */
export const applyEdits = (text: string, edits: readonly Edit[]): EditOutcome => {
  let now = text
  for (const [at, { oldText, newText, everywhere }] of edits.entries()) {
    const which = edits.length > 1 ? ` of edit ${at + 1}` : ''
    const places = countPlaces(now, oldText)
    if (places === 0) return { problem: `The passage${which} is not in the artifact.${nearestText(now, oldText)}` }
    if (places > 1 && !everywhere)
      return {
        problem: `The passage${which} stands ${places} times in the artifact. Quote more of it, or set everywhere.`,
      }
    // Not by a pattern: `$&` in the new text means itself.
    now = everywhere ? now.split(oldText).join(newText) : replaceOnce(now, oldText, newText)
  }
  return { text: now }
}

const replaceOnce = (text: string, oldText: string, newText: string): string => {
  const at = text.indexOf(oldText)
  return text.slice(0, at) + newText + text.slice(at + oldText.length)
}

const countPlaces = (text: string, passage: string): number => {
  let count = 0
  for (let at = text.indexOf(passage); at >= 0; at = text.indexOf(passage, at + passage.length)) count += 1
  return count
}

const mostLooked = 20_000
const mostCompared = 200
const around = 2
const mostShown = 12

const nearestText = (text: string, passage: string): string => {
  const found = nearestLines(text, passage)
  if (found === null) return ' Read it first.'
  const lines = found.lines.map((line, at) => `${found.first + at}: ${line.slice(0, mostCompared)}`)
  return ` The nearest lines are:\n${lines.join('\n')}`
}

/** The lines that look most like a passage, and the number of the first; null where none looks like it at all. */
export const nearestLines = (
  text: string,
  passage: string,
): { readonly first: number; readonly lines: readonly string[] } | null => {
  const wanted = passage
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '')
  if (wanted === undefined) return null
  const pairs = pairsOf(wanted)
  const lines = text.split('\n', mostLooked)
  let [best, bestScore] = [-1, 0]
  for (const [at, line] of lines.entries()) {
    const score = likeness(pairs, pairsOf(line.trim()))
    if (score > bestScore) [best, bestScore] = [at, score]
  }
  if (bestScore < 0.25) return null
  const from = Math.max(0, best - around)
  const length = Math.min(mostShown, passage.split('\n').length + 2 * around)
  return { first: from + 1, lines: lines.slice(from, from + length) }
}

/** Neighbouring letters. */
const pairsOf = (line: string): ReadonlySet<string> => {
  const pairs = new Set<string>()
  const end = Math.min(line.length, mostCompared)
  for (let at = 0; at + 1 < end; at += 1) pairs.add(line.slice(at, at + 2))
  return pairs
}

/** From 0 (nothing in common) to 1. */
const likeness = (one: ReadonlySet<string>, other: ReadonlySet<string>): number => {
  if (one.size === 0 || other.size === 0) return 0
  let common = 0
  for (const pair of one) if (other.has(pair)) common += 1
  return (2 * common) / (one.size + other.size)
}

export interface SnippetPiece {
  readonly text: string
  readonly marked: boolean
  /** Where it begins, in UTF-16 units. */
  readonly at: number
}

/** Cuts a text where its matches begin and end. Matches that overlap, or lie outside, do no harm. */
export const splitByMatches = (text: string, matches: readonly (readonly [number, number])[]): SnippetPiece[] => {
  const cut: SnippetPiece[] = []
  let at = 0
  const add = (end: number, marked: boolean) => {
    if (end > at) cut.push({ text: text.slice(at, end), marked, at })
    at = Math.max(at, end)
  }
  for (const [start, end] of [...matches].sort(([one], [other]) => one - other)) {
    add(Math.min(start, text.length), false)
    add(Math.min(end, text.length), true)
  }
  add(text.length, false)
  return cut
}

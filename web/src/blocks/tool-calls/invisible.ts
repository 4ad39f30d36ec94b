/** What cannot be seen in a text, or changes the order in which it is seen, made visible. */

export interface Piece {
  readonly text: string
  /** It stands for a character that cannot be seen, as `U+202E`. */
  readonly hidden: boolean
}

/**
 * Cuts a text into what can be seen and what cannot: controls, marks that turn the direction of reading or join letters,
 * fillers, tags, halves of characters. Line breaks, tabs and what emoji are made of stay as they are.
 */
export function revealHidden(text: string): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const { 0: found, index, groups } of text.matchAll(hidden)) {
    if (groups?.['emoji']) continue
    if (index > from) pieces.push({ text: text.slice(from, index), hidden: false })
    pieces.push({ text: nameOf(found), hidden: true })
    from = index + found.length
  }
  if (from < text.length) pieces.push({ text: text.slice(from), hidden: false })
  return pieces
}

/** The same as one text, for where no marks can be drawn. */
export const showHidden = (text: string): string =>
  revealHidden(text)
    .map((piece) => (piece.hidden ? `⟨${piece.text}⟩` : piece.text))
    .join('')

const nameOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** Emoji come first, since they are joined and varied by characters that are hidden elsewhere. */
const hidden =
  /(?<emoji>\p{RGI_Emoji})|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Variation_Selector}[\p{Cc}--[\n\t]]\u115F\u1160\u17B4\u17B5\u3164\uFFA0]|\u034F/gv

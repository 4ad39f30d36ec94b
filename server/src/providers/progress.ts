/** What counts as progress of an answer: characters that are no white space. Pure. */

/** More characters of one piece are not counted; a call of a tool is as good as so many. */
export const enoughCharacters = 8

/** How many characters are no white space, `enough` at most: a long piece is not looked through. */
export function countCharacters(piece: string): number {
  let found = 0
  for (let at = 0; at < piece.length && found < enoughCharacters; at += 1)
    if (!isSpace(piece.charCodeAt(at))) found += 1
  return found
}

const isSpace = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0

/** What another app hands over, as it is put into the box of a new chat. Pure. */

/** Title, text and address, one to a line; what one of the others holds already is left out. */
export function sharedText({ title, text, url }: { title?: string; text?: string; url?: string }): string {
  const parts = [title, text, url].flatMap((part) => part?.trim() || [])
  const said = parts.filter((part, at) => !parts.some((other, place) => place !== at && holds(other, part, place < at)))
  return said.join('\n').slice(0, longest)
}

/** Of two that are the same, the first one stays. */
const holds = (other: string, part: string, isBefore: boolean): boolean =>
  other.includes(part) && (other.length > part.length || isBefore)

/** Addresses longer than this are refused on the way by some. */
const longest = 20_000

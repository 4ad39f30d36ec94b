/** What the gallery shows, as its address says it. */
export const kinds = ['image', 'video', 'audio'] as const

export interface GallerySearch {
  /** Everything where nothing is said. */
  kind?: (typeof kinds)[number] | undefined
  q?: string | undefined
  favourite?: true | undefined
  album?: string | undefined
  /** An item that is to be made anew: the box is filled as it was made. */
  again?: string | undefined
  /** A picture that a film is to begin with. */
  frame?: string | undefined
}

/** Reads what an address holds; what it cannot mean is left out. */
export function readSearch(search: Record<string, unknown>): GallerySearch {
  const word = (value: unknown, most: number) =>
    typeof value === 'string' && value.trim() !== '' ? value.slice(0, most) : undefined
  return {
    kind: kinds.find((kind) => kind === search.kind),
    q: word(search.q, 400),
    favourite: search.favourite === true || search.favourite === 'true' ? true : undefined,
    album: word(search.album, 100),
    again: word(search.again, 100),
    frame: word(search.frame, 100),
  }
}

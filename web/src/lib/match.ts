/**
 * Whether each word of the query begins or stands inside some word of the texts. Accents, case and Arabic vowel signs
 * do not count. An empty query matches everything.
 */
export function matchesQuery(query: string, ...texts: (string | undefined)[]): boolean {
  const haystack = plain(texts.filter(Boolean).join(' '))
  return plain(query)
    .split(/\s+/)
    .every((word) => haystack.includes(word))
}

const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

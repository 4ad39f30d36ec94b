import type { Found } from '@atrium/contract/search'

const before = 18

/** For one line: it begins a few words before the first match, which is else cut off with the end of the line. */
export function shortSnippet({
  snippet,
  matches,
}: Pick<Found, 'snippet' | 'matches'>): Pick<Found, 'snippet' | 'matches'> {
  const first = matches[0]?.[0] ?? 0
  if (first <= before + 2) return { snippet, matches }
  const space = snippet.slice(first - before, first).search(/\s/)
  const from = space < 0 ? first : first - before + space + 1
  const lead = '… '
  const shift = lead.length - from
  return { snippet: lead + snippet.slice(from), matches: matches.map(([start, end]) => [start + shift, end + shift]) }
}

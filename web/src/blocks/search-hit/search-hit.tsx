/** What a search found: its icon, where it opens, and its words with the matches marked. */
import type { Found, FoundKind } from '@atrium/contract/search'
import type { ReactNode } from 'react'
import { resourceDisplay, resourceLink } from '../../lib/resources.ts'
export { shortSnippet } from './short-snippet.ts'
import { splitByMatches } from './split-by-matches.ts'

export function HitIcon({ kind }: { kind: FoundKind }) {
  const Icon = resourceDisplay(kind)?.icon
  return Icon && <Icon aria-hidden />
}

export const hitLink = (hit: Found): string => resourceLink(hit.kind, hit)

export function HitSnippet({ hit }: { hit: Pick<Found, 'snippet' | 'matches'> }): ReactNode {
  return splitByMatches(hit.snippet, hit.matches).map(({ text, marked, at }) =>
    marked ? (
      <mark key={at} className="rounded-xs bg-accent-soft text-ink">
        {text}
      </mark>
    ) : (
      text
    ),
  )
}

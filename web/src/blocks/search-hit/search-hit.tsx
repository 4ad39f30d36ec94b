/** What a search found: its icon, where it opens, and its words with the matches marked. */
import type { Found, FoundKind } from '@atrium/contract/search'
import { FileText, MessageSquare, MessageSquareText } from 'lucide-react'
import type { ReactNode } from 'react'
import { links } from '../../lib/links.ts'
import { splitByMatches } from './split-by-matches.ts'

export function HitIcon({ kind }: { kind: FoundKind }) {
  const Icon = kind === 'document' ? FileText : kind === 'chat' ? MessageSquare : MessageSquareText
  return <Icon aria-hidden />
}

export const hitLink = ({ kind, id, chatId, startChar, endChar }: Found): string => {
  if (kind === 'document')
    return links.document(id, startChar === null || endChar === null ? undefined : { from: startChar, to: endChar })
  return kind === 'chat' ? links.chat(id) : links.chat(chatId ?? '', id)
}

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

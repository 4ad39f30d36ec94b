/** What a search found: its icon, where it opens, and its words with the matches marked. */
import type { Found, FoundKind } from '@atrium/contract/search'
import { FileText, MessageSquare, MessageSquareText } from 'lucide-react'
import type { ReactNode } from 'react'
import { links } from '../../lib/links.ts'
import { pieces } from './pieces.ts'

export function FoundIcon({ kind }: { kind: FoundKind }) {
  const Icon = kind === 'document' ? FileText : kind === 'chat' ? MessageSquare : MessageSquareText
  return <Icon aria-hidden />
}

export const foundLink = ({ kind, id, chatId, startChar, endChar }: Found): string => {
  if (kind === 'document')
    return links.document(id, startChar === null || endChar === null ? undefined : { from: startChar, to: endChar })
  return kind === 'chat' ? links.chat(id) : links.chat(chatId ?? '', id)
}

export function FoundWords({ hit }: { hit: Pick<Found, 'snippet' | 'matches'> }): ReactNode {
  return pieces(hit.snippet, hit.matches).map(({ text, marked, at }) =>
    marked ? (
      <mark key={at} className="rounded-xs bg-accent-soft text-ink">
        {text}
      </mark>
    ) : (
      text
    ),
  )
}

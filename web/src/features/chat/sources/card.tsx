import type { Source } from '@atrium/contract/generation'
import { Globe } from 'lucide-react'
import { factSeparator, formatNumber } from '../../../lib/format.ts'
import { HoverCard } from '../../../ui/hover-card.tsx'
import { Passage } from './passage.tsx'
import { placeOf } from './place.ts'
import { useText } from 'virtual:words/chat-sources'
import { useSourceGone } from './use-source-gone.ts'

/** What a mark stands for: its document and place, the beginning of the passage, and how it was found. */
export function SourceCard({
  source,
  query,
  ...card
}: {
  source: Source
  query: string
  anchor: HTMLElement
  onEnter: () => void
  onLeave: () => void
}) {
  const t = useText('chat-sources')
  const gone = useSourceGone(source.documentId, true)
  const place = placeOf(source)
  return (
    <HoverCard {...card}>
      <p className="flex items-start gap-2 font-medium">
        {source.kind === 'web' && <Globe aria-hidden className="mt-0.5 size-3.5 shrink-0 text-muted" />}
        <bdi className="line-clamp-2 min-w-0 break-words">{source.name}</bdi>
      </p>
      {place && (
        <p dir="auto" className="truncate text-muted">
          {place}
        </p>
      )}
      <p dir="auto" className="line-clamp-2 border-s-2 border-line ps-2">
        <Passage text={source.passage} query={query} short />
      </p>
      <p className="text-xs text-muted">{gone ? t('gone') : foundWords(source, t)}</p>
    </HoverCard>
  )
}

/** `Found by words and meaning · score 0.82`. */
export function foundWords({ foundBy, score, readBy }: Source, t: ReturnType<typeof useText>): string {
  const scored =
    foundBy === 'whole' || foundBy === 'beginning'
      ? null
      : t('score', { score: formatNumber(score, { maximumFractionDigits: 2 }) })
  return [foundBy && t(`found.${foundBy}`), scored, readBy && t('readByBuiltin')].filter(Boolean).join(factSeparator())
}

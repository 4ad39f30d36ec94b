import type { Source } from '@atrium/contract/generation'
import { Globe, Quote } from 'lucide-react'
import { formatNumber } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { claimsOf } from '../sources/claim.ts'
import { placeOf } from '../sources/place.ts'
import { SourceLink } from '../sources/source-link.tsx'
import { useText } from 'virtual:words/chat'

const look = 'flex max-w-full items-center gap-1.5 rounded-full border border-line bg-sunken px-2.5 py-0.5 text-xs'

/** Where an answer comes from: numbered, with the name and the place. What it does not cite stands in the pane only. */
export function SourceList({
  sources,
  content = '',
  onMore,
}: {
  sources: readonly Source[]
  /** Of the answer. */
  content?: string
  onMore?: () => void
}) {
  const t = useText('chat')
  if (sources.length === 0) return null
  const cited = sources.filter((source) => source.cited !== false)
  return (
    <section aria-label={t('sources.title')} className="mt-3 flex flex-wrap items-center gap-1.5">
      <ol className="contents">
        {cited.slice(0, 6).map((source, index) => (
          <li key={index} className="max-w-64">
            {onMore ? (
              <SourceLink
                source={source}
                claimOf={() => claimsOf(content, source.number)}
                className={`${look} text-muted hover:bg-hover hover:text-ink`}
              >
                <Pill source={source} place={index + 1} />
              </SourceLink>
            ) : (
              <span className={`${look} text-muted`}>
                <Pill source={source} place={index + 1} />
              </span>
            )}
          </li>
        ))}
      </ol>
      {onMore && (
        <Button tone="quiet" size="small" icon={<Quote className="size-3.5" />} onClick={onMore}>
          {t('sources.all', { count: sources.length })}
        </Button>
      )}
    </section>
  )
}

function Pill({ source, place }: { source: Source; place: number }) {
  const where = placeOf(source)
  return (
    <>
      <span className="font-semibold text-accent-ink">{formatNumber(source.number ?? place)}</span>
      {source.kind === 'web' && <Globe aria-hidden className="size-3 shrink-0" />}
      <span dir="auto" className="truncate">
        {where ? `${source.name} · ${where}` : source.name}
      </span>
    </>
  )
}

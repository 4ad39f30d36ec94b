import type { Source } from '@atrium/contract/generation'
import { Quote } from 'lucide-react'
import { number } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { useText } from '../texts.ts'

/** Where an answer comes from: numbered, with the name of the file and the section. */
export function SourceList({ sources, onMore }: { sources: readonly Source[]; onMore?: () => void }) {
  const t = useText('chat')
  if (sources.length === 0) return null
  return (
    <section aria-label={t('sources.title')} className="mt-3 flex flex-wrap items-center gap-1.5">
      <ol className="contents">
        {sources.slice(0, 6).map((source, index) => (
          <li key={index} className="max-w-64">
            <button
              type="button"
              onClick={onMore}
              disabled={!onMore}
              title={source.passage.slice(0, 300)}
              className="flex max-w-full items-center gap-1.5 rounded-full border border-line bg-sunken px-2.5 py-0.5 text-xs text-muted enabled:hover:bg-hover enabled:hover:text-ink"
            >
              <span className="font-semibold text-accent-ink">{number(index + 1)}</span>
              <span className="truncate">
                <bdi>{source.section ? `${source.name} · ${source.section}` : source.name}</bdi>
              </span>
            </button>
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

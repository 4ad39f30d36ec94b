import type { Retrieval } from '@atrium/contract/generation'
import { SearchX } from 'lucide-react'
import { useId, useState } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { placeOf } from './place.ts'
import { SourceLink } from './source-link.tsx'
import { useText } from 'virtual:words/chat-sources'

/** Says that the documents had nothing for this question, and what came nearest. */
export function NoMatch({ retrieval }: { retrieval: Retrieval }) {
  const t = useText('chat-sources')
  const id = useId()
  const [open, setOpen] = useState(false)
  const nearest = retrieval.nearest.slice(0, 3)
  return (
    <section aria-label={t('none.label')} className="mb-3 rounded-lg border border-line bg-sunken px-3 py-1.5 text-sm">
      <div className="flex flex-wrap items-center gap-x-2">
        <SearchX aria-hidden className="size-4 shrink-0 text-muted" />
        <p className="min-w-40 flex-1">{t(retrieval.web?.pages ? 'none.webOnly' : 'none.text')}</p>
        {nearest.length > 0 && (
          <Button tone="quiet" size="small" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
            {t(open ? 'none.hide' : 'none.show', { count: nearest.length })}
          </Button>
        )}
      </div>
      {open && (
        <ol id={id} className="mt-1 flex flex-col gap-1 border-t border-line pt-1.5">
          {nearest.map((source, index) => (
            <li key={index} className="flex items-baseline gap-2">
              <SourceLink source={source} className="min-w-0 truncate hover:underline">
                <bdi>{source.name}</bdi>
              </SourceLink>
              <span dir="auto" className="min-w-0 flex-1 truncate text-muted">
                {placeOf(source)}
              </span>
              <span className="shrink-0 text-xs text-muted tabular-nums">
                {t('score', { score: formatNumber(source.score, { maximumFractionDigits: 2 }) })}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

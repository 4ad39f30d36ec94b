import type { Source } from '@atrium/contract/generation'
import { lazy, Suspense, useMemo } from 'react'
import type { DrawCitation } from '../../../blocks/markdown/citations.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useHoverCard } from '../../../ui/use-hover-card.ts'
import { useText } from 'virtual:words/chat'
import { claimOfMark } from './claim.ts'
import { titleOf } from './place.ts'
import { SourceLink } from './source-link.tsx'
import { useSourceGone } from './use-source-gone.ts'

const SourceCard = lazy(() => import('./card.tsx').then((module) => ({ default: module.SourceCard })))

/** How the Markdown of an answer draws its marks; the same function as long as the sources are the same. */
export function useCite(sources: readonly Source[], query: string | undefined): DrawCitation | null {
  return useMemo(() => {
    const byNumber = new Map(sources.flatMap((source) => (source.number ? [[source.number, source]] : [])))
    if (byNumber.size === 0) return null
    return (cited) => {
      const source = byNumber.get(cited)
      return source ? <CitationMark source={source} cited={cited} query={query ?? ''} /> : null
    }
  }, [sources, query])
}

/** A small number that shows its source on hover and focus, and opens it. */
function CitationMark({ source, cited, query }: { source: Source; cited: number; query: string }) {
  const t = useText('chat')
  const { anchor, target, card } = useHoverCard({ restMs: 200, focusMs: 0 })
  const gone = useSourceGone(source.documentId, false)
  return (
    <>
      <SourceLink
        source={source}
        claimOf={claimOfMark}
        aria-label={t('sources.mark', { number: formatNumber(cited), title: titleOf(source) })}
        {...target}
        className={classNames(
          'hit relative -top-px mx-px inline-block min-w-4.5 rounded-full bg-accent-soft px-1 text-center text-xs leading-4.5 font-semibold text-accent-ink! no-underline! tabular-nums hover:bg-accent hover:text-on-accent!',
          gone && 'opacity-60',
        )}
      >
        {formatNumber(cited)}
      </SourceLink>
      {anchor && (
        <Suspense>
          <SourceCard source={source} query={query} anchor={anchor} {...card} />
        </Suspense>
      )}
    </>
  )
}

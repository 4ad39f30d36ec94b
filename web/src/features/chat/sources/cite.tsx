import type { Source } from '@atrium/contract/generation'
import { type FocusEvent, lazy, type PointerEvent, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import type { DrawCitation } from '../../../blocks/markdown/citations.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { formatNumber } from '../../../lib/format.ts'
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
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [mark, setMark] = useState<HTMLElement | null>(null)
  const gone = useSourceGone(source.documentId, false)
  useEffect(() => () => clearTimeout(timer.current), [])
  // The card may be entered with the pointer, so it waits a little before it goes.
  const later = (element: HTMLElement | null, ms: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setMark(element), ms)
  }
  return (
    <>
      <SourceLink
        source={source}
        claimOf={claimOfMark}
        aria-label={t('sources.mark', { number: formatNumber(cited), title: titleOf(source) })}
        onPointerEnter={(event: PointerEvent<HTMLElement>) =>
          event.pointerType !== 'touch' && later(event.currentTarget, mark ? 0 : 200)
        }
        onPointerLeave={() => later(null, 150)}
        onFocus={(event: FocusEvent<HTMLElement>) =>
          event.currentTarget.matches(':focus-visible') && later(event.currentTarget, 0)
        }
        onBlur={() => later(null, 0)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || !mark) return
          event.stopPropagation()
          later(null, 0)
        }}
        onClick={() => later(null, 0)}
        className={classNames(
          'hit relative -top-px mx-px inline-block min-w-4.5 rounded-full bg-accent-soft px-1 text-center text-xs leading-4.5 font-semibold text-accent-ink! no-underline! tabular-nums hover:bg-accent hover:text-on-accent!',
          gone && 'opacity-60',
        )}
      >
        {formatNumber(cited)}
      </SourceLink>
      {mark && (
        <Suspense>
          <SourceCard
            source={source}
            query={query}
            anchor={mark}
            onEnter={() => clearTimeout(timer.current)}
            onLeave={() => later(null, 150)}
          />
        </Suspense>
      )}
    </>
  )
}

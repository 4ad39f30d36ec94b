import type { DocumentText } from '@atrium/contract/documents'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { PageBar, type Zoom } from './page-bar.tsx'
import { pageAt, pagesOf, placeOnPage, wordsOn } from './pages.ts'
import { PdfPage } from './pdf-page.tsx'
import type { TextRange } from './text-ranges.ts'
import { useText } from 'virtual:words/document-viewer'
import { sourceUrl } from '../source-url.ts'
import type { Finder } from './use-finder.ts'
import { usePdf } from './use-pdf.ts'

const gap = 12
const margin = 16
/** Wider than this a page is no easier to read. */
const widest = 1.6
interface Size {
  width: number
  height: number
}

/** The pages of a PDF, drawn as they come into sight. */
export function PdfView({
  document,
  passage,
  keys,
  page,
  finder,
  zoom,
  onZoom,
  bar,
  compact,
  onText,
}: {
  document: DocumentText
  passage: TextRange | null
  /** The sentences of the passage that matter most. */
  keys: readonly TextRange[]
  page: number | null
  finder: Finder
  zoom: Zoom
  onZoom: (zoom: Zoom) => void
  /** Where in the toolbar the page in sight is told and chosen. */
  bar: HTMLElement | null
  compact: boolean
  onText: () => void
}) {
  const t = useText('document-viewer')
  const state = usePdf(sourceUrl(document.id))
  const [width, setWidth] = useState(0)
  const [sizes, setSizes] = useState<ReadonlyMap<number, Size>>(new Map())
  const [missing, setMissing] = useState(false)
  const box = useRef<HTMLDivElement | null>(null)
  const measure = useCallback((element: HTMLDivElement | null) => {
    box.current = element
    if (!element) return
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  const first = state.kind === 'open' ? state.first : { width: 595, height: 842 }
  const sizeOf = (number: number): Size => sizes.get(number) ?? first
  const scaleOf = (size: Size) =>
    zoom === 'fit' ? Math.max(0.2, Math.min(widest, (width - 2 * margin) / size.width || 1)) : zoom
  const count = state.kind === 'open' ? state.pdf.numPages : 0
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: (index) => {
      const size = sizeOf(index + 1)
      return Math.ceil(size.height * scaleOf(size))
    },
    gap,
    paddingStart: gap,
    paddingEnd: gap,
    overscan: 1,
    useFlushSync: false,
  })
  const place = useRef({ index: 0, share: 0 })
  const topOf = (index: number) => {
    let top = gap
    for (let number = 1; number <= index; number++) {
      const size = sizeOf(number)
      top += Math.ceil(size.height * scaleOf(size)) + gap
    }
    return top
  }
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  useLayoutEffect(() => virtual.measure(), [zoom, width, sizes, state.kind])
  // Another width or size keeps the same lines in sight; nothing else moves them.
  const keepPlace = useRef(() => {})
  keepPlace.current = () => {
    const { index, share } = place.current
    const size = sizeOf(index + 1)
    if (box.current && width > 0) box.current.scrollTop = topOf(index) + share * size.height * scaleOf(size)
  }
  useLayoutEffect(() => keepPlace.current(), [zoom, width])

  const pages = useMemo(() => pagesOf(document.segments), [document.segments])
  const passagePage = page ?? (passage ? pageAt(pages, passage.start) : null)
  const keyPage = keys[0] ? pageAt(pages, keys[0].start) : null
  // The same list for the same page: what is drawn anew marks anew.
  const keysOn = useMemo(() => {
    const known = new Map<number, string[]>()
    return (number: number): string[] => {
      const words =
        known.get(number) ?? keys.flatMap((key) => wordsOn(number, document.content, pages, key, passagePage) ?? [])
      known.set(number, words)
      return words
    }
  }, [document.content, pages, keys, passagePage])
  const hitPage = finder.hit ? pageAt(pages, finder.hit.start) : null
  const goal = finder.hit ? hitPage : (keyPage ?? passagePage)
  const wanted = useMemo<object | null>(
    () => finder.hit ?? passage ?? (page === null ? null : { page }),
    [finder.hit, passage, page],
  )
  const goTo = (number: number) =>
    virtual.scrollToIndex(Math.max(0, Math.min(count, number) - 1), { align: 'start', behavior: 'auto' })
  const going = useRef(goTo)
  going.current = goTo
  const isMeasured = width > 0
  useEffect(() => {
    if (wanted && goal !== null && count > 0 && isMeasured) going.current(goal)
  }, [wanted, goal, count, isMeasured])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another passage is looked for anew.
  useEffect(() => setMissing(false), [passage])

  if (state.kind === 'failed') {
    return (
      <EmptyState title={t('notDrawn')} action={document.content && <Button onClick={onText}>{t('showText')}</Button>}>
        {state.password ? t('password') : document.content ? t('notDrawnText') : null}
      </EmptyState>
    )
  }
  const items = virtual.getVirtualItems()
  const middle = (virtual.scrollOffset ?? 0) + (virtual.scrollRect?.height ?? 0) / 2
  const here = (items.find((item) => item.end >= middle) ?? items.at(-1))?.index ?? 0
  const shownScale = scaleOf(sizeOf(here + 1))
  const onSize = (number: number, width: number, height: number) =>
    setSizes((before) => {
      const known = before.get(number) ?? first
      if (Math.abs(known.width - width) < 0.5 && Math.abs(known.height - height) < 0.5) return before
      return new Map(before).set(number, { width, height })
    })
  return (
    <>
      {bar &&
        createPortal(
          <PageBar
            page={here + 1}
            count={count}
            onPage={goTo}
            zoom={zoom}
            scale={shownScale}
            onZoom={onZoom}
            compact={compact}
          />,
          bar,
        )}
      {missing && passage && (
        <p
          role="status"
          className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-1.5 text-sm text-muted"
        >
          <span className="min-w-40 flex-1">{t('notOnPage')}</span>
          <Button size="small" onClick={onText}>
            {t('showText')}
          </Button>
        </p>
      )}
      <div
        ref={measure}
        role="region"
        aria-label={t('page.region')}
        data-pages
        onScroll={(event) => {
          const top = event.currentTarget.scrollTop
          const item = virtual.getVirtualItems().find(({ end }) => end > top)
          if (item) place.current = { index: item.index, share: (top - item.start) / item.size }
        }}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="min-h-0 flex-1 overflow-auto overscroll-contain bg-sunken focus-visible:-outline-offset-2"
      >
        {state.kind === 'opening' ? (
          <Skeleton lines={10} className="p-5" />
        ) : (
          <div className="relative min-w-fit" style={{ height: virtual.getTotalSize() }}>
            {isMeasured &&
              items.map((item) => {
                const number = item.index + 1
                const size = sizeOf(number)
                const scale = scaleOf(size)
                return (
                  <div
                    key={item.key}
                    className="absolute inset-x-0 top-0"
                    style={{ transform: `translateY(${item.start}px)` }}
                  >
                    <PdfPage
                      layWords={state.layWords}
                      pdf={state.pdf}
                      number={number}
                      scale={scale}
                      width={Math.ceil(size.width * scale)}
                      height={Math.ceil(size.height * scale)}
                      onSize={onSize}
                      onMissing={() => setMissing(true)}
                      marks={{
                        passage: wordsOn(number, document.content, pages, passage, passagePage),
                        keys: keysOn(number),
                        phrase: finder.sought,
                        current: finder.hit && hitPage === number ? placeOnPage(pages, finder.hits, finder.hit) : null,
                        wanted: number === goal ? wanted : null,
                      }}
                    />
                  </div>
                )
              })}
          </div>
        )}
      </div>
    </>
  )
}

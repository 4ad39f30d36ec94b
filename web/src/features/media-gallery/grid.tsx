import type { MediaItem } from '@atrium/contract/media-gallery'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { usePhone } from '../../lib/media.ts'
import type { Selection } from '../../lib/use-selection.ts'
import { useText } from 'virtual:words/media-gallery'
import { columnsOf, gap, placeByKey } from './grid-layout.ts'
import type { GallerySearch } from './search.ts'
import { Tile } from './tile.tsx'

/** The line with the title below the picture. */
const titleHeight = 32

export interface GridProps {
  readonly items: readonly MediaItem[]
  readonly search: GallerySearch
  readonly selection: Selection
  /** What scrolls. */
  readonly box: RefObject<HTMLElement | null>
  readonly hasMore: boolean
  /** The end is near. */
  readonly onEnd: () => void
}

/** The tiles near the view: the others are room that is kept. Arrow keys lead from one to the next, Space ticks. */
export function Grid({ items, search, selection, box, hasMore, onEnd }: GridProps) {
  const t = useText('media-gallery')
  const list = useRef<HTMLUListElement>(null)
  const { columns, rowHeight, top } = useMeasures(list, box)
  const rows = Math.ceil(items.length / columns)
  const virtual = useVirtualizer({
    count: rows,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    scrollMargin: top,
    overscan: 4,
    useFlushSync: false,
  })
  useLayoutEffect(() => virtual.measure(), [virtual, rowHeight])
  const seen = virtual.getVirtualItems()
  const [first, last] = [seen[0]?.index ?? 0, seen.at(-1)?.index ?? 0]
  useEffect(() => {
    if (hasMore && last >= rows - 4) onEnd()
    // Another function at each drawing would ask without end.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [hasMore, last, rows])

  const order = items.map(({ id }) => id)
  const focus = (place: number) => {
    const find = () => list.current?.querySelector<HTMLElement>(`[data-place="${place}"] a`)
    virtual.scrollToIndex(Math.floor(place / columns))
    const there = find()
    if (there) return there.focus()
    // It is drawn once it is in sight.
    requestAnimationFrame(() => requestAnimationFrame(() => find()?.focus()))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { target, key } = event
    if (!(target instanceof HTMLAnchorElement) || event.altKey || event.ctrlKey || event.metaKey) return
    const at = Number(target.closest<HTMLElement>('[data-place]')?.dataset['place'])
    const isRtl = document.documentElement.dir === 'rtl'
    const to = placeByKey(key, at, { columns, count: items.length, isRtl })
    const id = order[at]
    if (to !== null) focus(to)
    else if (key === ' ' && id !== undefined) selection.toggle(id, event.shiftKey, order)
    else return
    event.preventDefault()
  }
  const isSelecting = items.some(({ id }) => selection.ids.has(id))
  const from = first * columns
  return (
    // Keys that its links have not handled come here.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <ul
      ref={list}
      aria-label={t('title')}
      className="grid gap-3"
      style={{
        gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
        paddingTop: first * rowHeight,
        paddingBottom: Math.max(0, rows - 1 - last) * rowHeight,
      }}
      onKeyDown={onKeyDown}
    >
      {items.slice(from, (last + 1) * columns).map((item, index) => (
        <Tile
          key={item.id}
          item={item}
          place={from + index}
          count={hasMore ? null : items.length}
          search={search}
          ticked={selection.ids.has(item.id)}
          selecting={isSelecting}
          onTick={(range) => selection.toggle(item.id, range, order)}
        />
      ))}
    </ul>
  )
}

/** What is measured: how wide the list is, and how far from the top of what scrolls it begins. */
function useMeasures(list: RefObject<HTMLElement | null>, box: RefObject<HTMLElement | null>) {
  const [{ width, top }, setMeasured] = useState({ width: 1000, top: 0 })
  useLayoutEffect(() => {
    const measure = () => {
      if (!list.current || !box.current) return
      const here = list.current.getBoundingClientRect()
      const distance = here.top - box.current.getBoundingClientRect().top + box.current.scrollTop
      setMeasured((before) =>
        before.width === here.width && before.top === distance ? before : { width: here.width, top: distance },
      )
    }
    measure()
    const resized = new ResizeObserver(measure)
    // What stands above the list moves it.
    for (const element of [box.current, list.current?.parentElement]) if (element) resized.observe(element)
    return () => resized.disconnect()
  }, [list, box])
  const columns = columnsOf(width, usePhone())
  const tile = (width - gap * (columns - 1)) / columns
  return { columns, top, rowHeight: tile + titleHeight + gap }
}

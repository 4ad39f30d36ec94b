import {
  type RefObject,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { classNames } from '../../../lib/class-names.ts'
import { useTouch } from '../../../lib/media.ts'
import { useText } from 'virtual:words/blocks'
import { filterEntries } from './trigger-rules.ts'
import type { TriggerEntry } from './types.ts'

/** What the text area asks of the list while the focus stays in it. */
export interface TriggerListHandle {
  /** Moves through the list; false at a list without rows. */
  move(by: number): boolean
  /** Takes the row that is marked; false where there is none. */
  take(): boolean
}

interface Line {
  /** Null: a heading. */
  readonly entry: TriggerEntry | null
  readonly heading: string
  readonly top: number
  readonly height: number
  /** Among the entries. */
  readonly index: number
}

const headingHeight = 26
/** Rows above and below what is seen. */
const spare = 6

/**
 * The list over the box, as many rows as there are, of which only those in view are in the page. The focus stays in the
 * text; the row that is marked is told to screen readers by `onActive`.
 */
export function TriggerList({
  handle,
  entries,
  query,
  label,
  listId,
  area,
  onActive,
  onTake,
}: {
  handle: RefObject<TriggerListHandle | null>
  entries: readonly TriggerEntry[]
  query: string
  label: string
  listId: string
  /** The text area that it belongs to. */
  area: RefObject<HTMLTextAreaElement | null>
  /** The id of the marked row; null while there is none. */
  onActive: (id: string | null) => void
  onTake: (entry: TriggerEntry) => void
}) {
  const t = useText('blocks')
  const id = useId()
  const rowHeight = useTouch() ? 44 : 34
  const found = useMemo(() => filterEntries(entries, query), [entries, query])
  const lines = useMemo(() => linesOf(found, rowHeight), [found, rowHeight])
  const [marked, setMarked] = useState(0)
  const [asked, setAsked] = useState(query)
  // The best match is first: another query begins there again, before anything is painted.
  if (asked !== query) {
    setAsked(query)
    setMarked(0)
  }
  const active = Math.min(marked, found.length - 1)
  const box = useRef<HTMLDivElement>(null)
  const [scrolled, setScrolled] = useState(0)
  const { above, room } = useRoom(area)
  const last = lines.at(-1)
  const full = last ? last.top + last.height : 0
  const height = Math.min(full, room)
  const line = lines.find(({ entry, index }) => entry !== null && index === active)

  useImperativeHandle(handle, () => ({
    move(by) {
      if (found.length === 0) return false
      setMarked((active + by + found.length) % found.length)
      return true
    },
    take() {
      const entry = found[active]
      if (entry) onTake(entry)
      return entry !== undefined
    },
  }))
  useLayoutEffect(() => {
    const scroll = box.current
    if (!scroll || !line) return
    // The heading of the first row comes with it.
    const top = active === 0 ? 0 : line.top
    if (top < scroll.scrollTop) scroll.scrollTop = top
    else if (line.top + line.height > scroll.scrollTop + height) scroll.scrollTop = line.top + line.height - height
  }, [line, active, height])
  const rowId = (index: number) => `${id}-${index}`
  const activeId = line ? rowId(active) : null
  useEffect(() => {
    onActive(activeId)
    return () => onActive(null)
  }, [activeId, onActive])

  if (found.length === 0) return null
  const seen = lines.filter(
    ({ top, height: own }) => top + own > scrolled - spare * rowHeight && top < scrolled + height + spare * rowHeight,
  )
  return (
    <div
      className={classNames(
        'anim-appear absolute inset-x-0 z-30 overflow-hidden rounded-xl border border-line bg-raised p-1 shadow-mid',
        above ? 'bottom-[calc(100%+0.375rem)]' : 'top-[calc(100%+0.375rem)]',
      )}
      // The focus stays in the text, and with it the keyboard of a phone.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
    >
      <p role="status" className="sr-only">
        {t('composer.found', { count: found.length })}
      </p>
      <div
        ref={box}
        role="listbox"
        id={listId}
        aria-label={label}
        // It scrolls, so that it must be reachable; while it is there, the text has the keys.
        tabIndex={0}
        className="relative overflow-y-auto overscroll-contain"
        style={{ height }}
        onScroll={(event) => setScrolled(event.currentTarget.scrollTop)}
      >
        <div role="presentation" style={{ height: full }}>
          {seen.map(({ entry, heading, top, height: own, index }) =>
            entry ? (
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are the text's, which keeps the focus
              <div
                key={entry.id}
                role="option"
                tabIndex={-1}
                id={rowId(index)}
                aria-selected={index === active}
                aria-posinset={index + 1}
                aria-setsize={found.length}
                className={classNames(
                  'absolute inset-x-0 flex cursor-default items-center gap-2.5 rounded-md px-2.5 select-none',
                  index === active && 'bg-hover',
                )}
                style={{ top, height: own }}
                onPointerMove={() => index !== active && setMarked(index)}
                onClick={() => onTake(entry)}
              >
                <entry.icon aria-hidden className="size-4 shrink-0 text-muted" />
                <span dir="auto" className="min-w-0 truncate text-base">
                  {entry.name}
                </span>
                {entry.hint && (
                  <span dir="auto" className="ms-auto max-w-[50%] shrink-0 truncate ps-3 text-sm text-muted">
                    {entry.hint}
                  </span>
                )}
              </div>
            ) : (
              <p
                key={`heading ${heading}`}
                aria-hidden
                className="absolute inset-x-0 flex items-end px-2.5 pb-1 text-xs font-medium text-muted"
                style={{ top, height: own }}
              >
                {heading}
              </p>
            ),
          )}
        </div>
      </div>
    </div>
  )
}

/** Where each row and heading stands. */
function linesOf(entries: readonly TriggerEntry[], rowHeight: number): Line[] {
  const lines: Line[] = []
  let top = 0
  let section: string | undefined
  for (const [index, entry] of entries.entries()) {
    if (entry.section !== undefined && entry.section !== section) {
      lines.push({ entry: null, heading: entry.section, top, height: headingHeight, index })
      top += headingHeight
    }
    section = entry.section
    lines.push({ entry, heading: '', top, height: rowHeight, index })
    top += rowHeight
  }
  return lines
}

const mostRoom = 320

/** On which side of the box the list has space, and how much of it. */
function useRoom(area: RefObject<HTMLTextAreaElement | null>): { above: boolean; room: number } {
  const [space, setSpace] = useState({ above: true, room: mostRoom })
  useLayoutEffect(() => {
    const measure = () => {
      const frame = area.current?.closest('[data-composer]')?.getBoundingClientRect()
      if (!frame) return
      // What a phone's keyboard covers is no room.
      const bottom = visualViewport ? visualViewport.offsetTop + visualViewport.height : innerHeight
      const over = frame.top - 64
      const under = bottom - frame.bottom - 24
      const above = over >= Math.min(mostRoom, 220) || over >= under
      setSpace({ above, room: Math.max(90, Math.min(mostRoom, above ? over : under)) })
    }
    measure()
    visualViewport?.addEventListener('resize', measure)
    return () => visualViewport?.removeEventListener('resize', measure)
  }, [area])
  return space
}

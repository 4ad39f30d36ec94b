import { type KeyboardEvent, useState } from 'react'
import { announce } from '../../../lib/announce.ts'
import { formatRange } from '../data/format.ts'
import { useGrid } from '../grid/grid-context.ts'
import type { Range } from '../layout/drag.ts'
import { type Day, dayOfWall, minuteOfWall, minutesOfDay, wallOf } from '../time/day.ts'
import { minutePixels } from './measures.ts'
import { useText } from 'virtual:words/calendar'

/** Half an hour that the arrow keys move over the grid, longer with Shift; Enter makes an event of it. Seen while it has the focus. */
export function SlotCursor({ days }: { days: readonly Day[] }) {
  const t = useText('calendar')
  const { clock, onDraw, onShow } = useGrid()
  const [first = 0] = days
  const last = first + days.length - 1
  const [slot, setSlot] = useState<Range>(() => {
    const start = wallOf(days.includes(clock.today) ? clock.today : first, 9 * 60)
    return { start, end: start + 30 }
  })
  const day = Math.max(first, Math.min(last, dayOfWall(slot.start)))
  const minute = minuteOfWall(slot.start)
  const range = { start: wallOf(day, minute), end: wallOf(day, minute) + slot.end - slot.start }
  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const rtl = getComputedStyle(event.currentTarget).direction === 'rtl'
    const next = slotByKey(event.key, event.shiftKey, range, rtl)
    if (!next) return
    event.preventDefault()
    setSlot(next)
    const to = dayOfWall(next.start)
    if (to < first || to > last) onShow(days.length > 1 ? 'week' : 'day', to)
    announce(formatRange(next, false))
    event.currentTarget.scrollIntoView({ block: 'nearest' })
  }
  return (
    <div
      role="gridcell"
      className="pointer-events-none absolute z-4 p-px"
      style={{
        top: minute * minutePixels,
        height: (range.end - range.start) * minutePixels,
        insetInlineStart: `calc(3.5rem + (100% - 3.5rem) / ${days.length} * ${day - first})`,
        width: `calc((100% - 3.5rem) / ${days.length})`,
      }}
    >
      <button
        type="button"
        aria-label={t('newAt', { when: formatRange(range, false) })}
        onKeyDown={onKeyDown}
        onClick={(event) => {
          event.stopPropagation()
          onDraw(range, false)
        }}
        className="size-full rounded-sm opacity-0 focus-visible:bg-accent-soft/70 focus-visible:opacity-100"
      />
    </div>
  )
}

function slotByKey(key: string, isLonger: boolean, { start, end }: Range, rtl: boolean): Range | null {
  const midnight = wallOf(dayOfWall(start) + 1, 0)
  if (key === (rtl ? 'ArrowLeft' : 'ArrowRight')) return { start: start + minutesOfDay, end: end + minutesOfDay }
  if (key === (rtl ? 'ArrowRight' : 'ArrowLeft')) return { start: start - minutesOfDay, end: end - minutesOfDay }
  const by = key === 'ArrowDown' ? 30 : key === 'ArrowUp' ? -30 : 0
  if (by === 0) return null
  if (isLonger) return { start, end: Math.min(midnight, Math.max(start + 30, end + by)) }
  const moved = Math.max(wallOf(dayOfWall(start), 0), Math.min(midnight - 30, start + by))
  return { start: moved, end: moved + 30 }
}

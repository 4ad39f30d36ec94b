import { useLayoutEffect, useRef } from 'react'
import { formatHour } from '../data/format.ts'
import { useGrid } from '../grid/grid-context.ts'
import { useMoving } from '../grid/use-moving.ts'
import { type Day, minuteOfWall, minutesOfDay, wallOf } from '../time/day.ts'
import { DayColumn } from './day-column.tsx'
import { HoursHead } from './hours-head.tsx'
import { columnsOf, hourHeight, minutePixels } from './measures.ts'
import { SlotCursor } from './slot-cursor.tsx'

/** Days beside each other, with their hours from top to bottom. */
export function HoursView({ days, label }: { days: readonly Day[]; label: string }) {
  const { clock, onMove, onDraw } = useGrid()
  const box = useRef<HTMLDivElement>(null)
  const handlers = useMoving({
    unit: 'hours',
    onMove,
    onDraw,
    scroller: () => box.current,
    wallAt: (x, y) => wallUnder(box.current, x, y),
  })
  const isNow = days.includes(clock.today)
  const first = useRef(isNow ? Math.max(0, minuteOfWall(clock.now) - 90) : 7.5 * 60)
  // Where the day is about: before now, or at its morning; before it is seen, so that nothing moves under a pointer.
  useLayoutEffect(() => {
    if (box.current) box.current.scrollTop = first.current * minutePixels
  }, [])
  return (
    <div role="grid" aria-label={label} className="flex h-full min-h-0 flex-col">
      <HoursHead days={days} handlers={handlers} />
      <div
        ref={box}
        role="rowgroup"
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain [scrollbar-gutter:stable]"
      >
        <div role="row" className="relative grid" style={columnsOf(days.length)}>
          <div role="rowheader" className="relative" style={{ height: 24 * hourHeight }}>
            {hours.map((hour) => (
              <span
                key={hour}
                className="absolute end-1.5 text-2xs text-muted tabular-nums"
                style={{ top: hour * hourHeight - 8 }}
              >
                {formatHour(hour)}
              </span>
            ))}
          </div>
          {days.map((day) => (
            <DayColumn key={day} day={day} handlers={handlers} />
          ))}
          <SlotCursor days={days} />
        </div>
      </div>
    </div>
  )
}

const hours = Array.from({ length: 23 }, (_, index) => index + 1)

/** The time of the column that is nearest to a point. */
function wallUnder(box: HTMLElement | null, x: number, y: number) {
  let nearest: { day: number; minute: number; off: number } | null = null
  for (const column of box?.querySelectorAll<HTMLElement>('[data-hours]') ?? []) {
    const { left, right, top, height } = column.getBoundingClientRect()
    const off = Math.max(left - x, x - right, 0)
    const minute = Math.max(0, Math.min(minutesOfDay, ((y - top) / height) * minutesOfDay))
    if (!nearest || off < nearest.off) nearest = { day: Number(column.dataset.hours), minute, off }
  }
  return nearest && wallOf(nearest.day, nearest.minute)
}

import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { formatDay } from '../data/format.ts'
import { useGrid } from '../grid/grid-context.ts'
import { useMoving } from '../grid/use-moving.ts'
import { dayByKey } from '../layout/day-keys.ts'
import { type Day, wallOf, weekdayOf } from '../time/day.ts'
import { weekNumberOf, weeksOfMonth } from '../time/weeks.ts'
import { weekdayName } from '../repeat/words.ts'
import { MonthRow } from './month-row.tsx'
import { columns, useRoom } from './use-room.ts'
import { useText } from 'virtual:words/calendar'

/** The weeks of a month below each other; each event in its line on all of its days. */
export function MonthView({ day }: { day: Day }) {
  const t = useText('calendar')
  const { clock, onShow, onMove, onDraw } = useGrid()
  const weeks = weeksOfMonth(day, clock.firstWeekday)
  const box = useRef<HTMLDivElement>(null)
  const room = useRoom(box, weeks.length)
  const [at, setAt] = useState({ day, cursor: day })
  const cursor = at.day === day ? at.cursor : day
  const wanted = useRef<Day | null>(null)
  const handlers = useMoving({ unit: 'days', onMove, onDraw, wallAt: (x, y) => dayUnder(box.current, x, y) })
  useEffect(() => {
    if (wanted.current === null) return
    box.current?.querySelector<HTMLElement>(`[data-day="${wanted.current}"]`)?.focus()
    wanted.current = null
  })
  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    const rtl = getComputedStyle(event.currentTarget).direction === 'rtl'
    const next = dayByKey(event.key, cursor, clock.firstWeekday, rtl)
    if (next === undefined) return
    event.preventDefault()
    wanted.current = next
    if (weeks.some((week) => week.includes(next))) setAt({ day, cursor: next })
    else onShow('month', next)
  }
  return (
    <div
      role="grid"
      aria-label={formatDay(day, 'month')}
      className="flex h-full min-h-0 flex-col"
      onKeyDown={onKeyDown}
    >
      <div role="row" className={`${columns} border-b border-line text-xs text-muted`}>
        <span role="columnheader" className="sr-only">
          {t('weekNumber')}
        </span>
        <span aria-hidden />
        {(weeks[0] ?? []).map((each) => (
          <span key={each} role="columnheader" className="truncate px-1.5 py-1 font-medium">
            <span aria-hidden>{formatDay(each, 'shortWeekday')}</span>
            <span className="sr-only">{weekdayName(weekdayOf(each))}</span>
          </span>
        ))}
      </div>
      <div ref={box} role="rowgroup" className="@container flex min-h-0 flex-1 flex-col overflow-y-auto">
        {weeks.map((week) => (
          <MonthRow
            key={week[0]}
            week={week}
            month={day}
            number={weekNumberOf(week[0] ?? 0, clock.firstWeekday)}
            room={room}
            cursor={cursor}
            onCursor={(next) => setAt({ day, cursor: next })}
            handlers={handlers}
          />
        ))}
      </div>
    </div>
  )
}

function dayUnder(box: HTMLElement | null, x: number, y: number) {
  for (const cell of box?.querySelectorAll<HTMLElement>('[data-day]') ?? []) {
    const { left, right, top, bottom } = cell.getBoundingClientRect()
    if (x >= left && x < right && y >= top && y < bottom) return wallOf(Number(cell.dataset.day), 0)
  }
  return null
}

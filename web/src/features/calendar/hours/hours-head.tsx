import type { KeyboardEvent } from 'react'
import { classNames } from '../../../lib/class-names.ts'
import { zoneName } from '../data/event-words.ts'
import { formatDay } from '../data/format.ts'
import { EventButton, RepeatSign } from '../grid/event-button.tsx'
import { useGrid } from '../grid/grid-context.ts'
import type { Handlers } from '../grid/use-moving.ts'
import { layOutLanes } from '../layout/lanes.ts'
import { type Day, dayOfWall, wallOf } from '../time/day.ts'
import { weekNumberOf } from '../time/weeks.ts'
import { clockChangeOn, zoneOfMachine } from '../time/zone.ts'
import { bandHeight, columnsOf } from './measures.ts'
import { useText } from 'virtual:words/calendar'

/** The names of the days, and what lasts all day; as wide as the hours below, which scroll. */
export function HoursHead({ days, handlers }: { days: readonly Day[]; handlers: Handlers }) {
  const t = useText('calendar')
  const { clock, zone, onShow } = useGrid()
  const number = weekNumberOf(days[0] ?? 0, clock.firstWeekday)
  return (
    <div role="rowgroup" className="shrink-0 overflow-hidden border-b border-line-strong/45 [scrollbar-gutter:stable]">
      <div role="row" className="grid" style={columnsOf(days.length)}>
        <span role="columnheader" className="min-w-0 self-end pe-1.5 pb-1 text-end text-2xs text-muted">
          {zone !== zoneOfMachine() && <span className="block truncate">{zoneName(zone)}</span>}
          {days.length === 7 ? t('weekShort', { number }) : <span className="sr-only">{t('hours')}</span>}
        </span>
        {days.map((day) => (
          <div
            key={day}
            role="columnheader"
            aria-current={day === clock.today ? 'date' : undefined}
            className="min-w-0 border-s border-line px-1 py-1 text-center"
          >
            <button
              type="button"
              onClick={() => onShow('day', day)}
              className="inline-flex max-w-full flex-col items-center rounded-md px-2 hover:bg-hover"
            >
              <span className="sr-only">{t('showDay', { day: formatDay(day, 'dayAndYear') })}</span>
              <span aria-hidden className="text-2xs text-muted">
                {formatDay(day, 'shortWeekday')}
              </span>
              <span
                aria-hidden
                className={classNames(
                  'grid h-6 min-w-6 place-items-center rounded-full px-1 text-md tabular-nums',
                  day === clock.today && 'bg-accent font-semibold text-on-accent',
                )}
              >
                {formatDay(day, 'number')}
              </span>
            </button>
            <ClockChange day={day} />
          </div>
        ))}
      </div>
      <BandRow days={days} handlers={handlers} />
    </div>
  )
}

/** Says where a day has not 24 hours. */
function ClockChange({ day }: { day: Day }) {
  const t = useText('calendar')
  const { zone } = useGrid()
  const change = clockChangeOn(day, zone)
  if (change === 0) return null
  return (
    <p className="text-2xs leading-tight text-warn-ink">
      {t(change < 0 ? 'clocksForward' : 'clocksBack', { count: Math.abs(change) })}
    </p>
  )
}

function BandRow({ days, handlers }: { days: readonly Day[]; handlers: Handlers }) {
  const t = useText('calendar')
  const { placements, onDraw } = useGrid()
  const [start = 0] = days
  const end = start + days.length - 1
  const bands = placements.filter(({ isBand, first, last }) => isBand && first <= end && last >= start)
  const bars = bands.map(({ key, first, last }) => ({
    key,
    from: Math.max(0, first - start),
    to: Math.min(days.length - 1, last - start),
  }))
  const { lanes, used } = layOutLanes(bars, days.length, Number.POSITIVE_INFINITY)
  const { moving } = handlers
  const isDays =
    moving && (moving.key === null ? isWholeDays(moving.range) : bands.some(({ key }) => key === moving.key))
  const create = (day: Day) => onDraw({ start: wallOf(day, 0), end: wallOf(day + 1, 0) }, true)
  function onKeyDown(event: KeyboardEvent<HTMLElement>, day: Day) {
    if (event.target !== event.currentTarget) return
    const isBack = (event.key === 'ArrowLeft') !== (getComputedStyle(event.currentTarget).direction === 'rtl')
    if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      const { previousElementSibling, nextElementSibling } = event.currentTarget
      const next = isBack ? previousElementSibling : nextElementSibling
      if (next instanceof HTMLElement && next.role === 'gridcell') next.focus()
    } else if (event.key === 'Enter') create(day)
    else return
    event.preventDefault()
  }
  return (
    <div role="row" className="grid border-t border-line" style={columnsOf(days.length)}>
      <span role="rowheader" className="pe-1.5 pt-1 text-end text-2xs text-muted">
        {t('allDay')}
      </span>
      {days.map((day) => {
        const isTarget = isDays && dayOfWall(moving.range.start) <= day && day <= dayOfWall(moving.range.end - 1)
        return (
          <div
            key={day}
            role="gridcell"
            // A line stays free, for another one.
            style={{ height: (Math.min(used, mostBands) + 1) * bandHeight + 3 }}
            onPointerDown={(event) => handlers.press(event, 'draw-days', null)}
            tabIndex={day === start ? 0 : -1}
            onClick={() => create(day)}
            onKeyDown={(event) => onKeyDown(event, day)}
            className={classNames(
              'relative min-w-0 border-s border-line focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-ring',
              isTarget ? 'bg-accent-soft' : 'hover:bg-hover/40',
            )}
          >
            <span className="sr-only">{t('allDayOn', { day: formatDay(day, 'day') })}</span>
            {bands
              .filter(({ first }) => Math.max(first, start) === day)
              .map((placement) => (
                <EventButton
                  key={placement.key}
                  placement={placement}
                  handlers={handlers}
                  look="box"
                  tabbable
                  className="absolute start-0.5 z-1"
                  style={{
                    top: 2 + (lanes.get(placement.key) ?? 0) * bandHeight,
                    height: bandHeight - 1,
                    width: `calc(${(Math.min(placement.last, end) - day + 1) * 100}% - 5px)`,
                  }}
                >
                  <span aria-hidden className="flex items-center gap-1">
                    <span dir="auto" className="truncate">
                      {placement.event.title}
                    </span>
                    <RepeatSign placement={placement} />
                  </span>
                </EventButton>
              ))}
          </div>
        )
      })}
    </div>
  )
}

const isWholeDays = ({ start, end }: { start: number; end: number }) => start % 1440 === 0 && end % 1440 === 0
/** More of them would leave no room for the hours; the month shows them all. */
const mostBands = 6

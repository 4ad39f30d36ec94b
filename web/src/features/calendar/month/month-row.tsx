import { classNames } from '../../../lib/class-names.ts'
import { formatDay, formatShortTime } from '../data/format.ts'
import { EventButton, RepeatSign } from '../grid/event-button.tsx'
import { type Entry, useGrid } from '../grid/grid-context.ts'
import type { Handlers } from '../grid/use-moving.ts'
import { layOutLanes } from '../layout/lanes.ts'
import { RunLink } from '../runs/run-link.tsx'
import { type Day, dayOfWall, partsOf, wallOf } from '../time/day.ts'
import { MoreEvents } from './more-events.tsx'
import { columns, headHeight, leastRow, lineHeight } from './use-room.ts'
import { useText } from 'virtual:words/calendar'

/** One week of the month. */
export function MonthRow({
  week,
  month,
  number,
  room,
  cursor,
  onCursor,
  handlers,
}: {
  week: readonly Day[]
  /** A day of the month that is shown: those of others are paler. */
  month: Day
  number: number
  room: number
  /** The day where Tab stops. */
  cursor: Day
  onCursor: (day: Day) => void
  handlers: Handlers
}) {
  const t = useText('calendar')
  const { entries } = useGrid()
  const [start = 0] = week
  const here = entries.filter(({ first, last }) => first < start + 7 && last >= start)
  const bars = here.map(({ key, first, last }) => ({
    key,
    from: Math.max(0, first - start),
    to: Math.min(6, last - start),
  }))
  const { lanes, more } = layOutLanes(bars, 7, room)
  const shown = here.filter(({ key }) => lanes.has(key))
  return (
    <div
      role="row"
      className={`${columns} flex-1 border-b border-line last:border-b-0`}
      style={{ minHeight: leastRow }}
    >
      <div role="rowheader" className="pt-2 text-center text-2xs text-muted">
        <span aria-hidden>{number}</span>
        <span className="sr-only">{t('week', { number })}</span>
      </div>
      {week.map((day, index) => (
        <MonthDay
          key={day}
          day={day}
          isOther={partsOf(day).month !== partsOf(month).month}
          here={here.filter(({ first, last }) => first <= day && day <= last)}
          begun={shown.filter(({ first }) => Math.max(first, start) === day)}
          end={start + 6}
          lanes={lanes}
          more={more[index] ?? 0}
          line={room - 1}
          isCursor={day === cursor}
          onCursor={onCursor}
          handlers={handlers}
        />
      ))}
    </div>
  )
}

function MonthDay({
  day,
  isOther,
  here,
  begun,
  end,
  lanes,
  more,
  line,
  isCursor,
  onCursor,
  handlers,
}: {
  day: Day
  isOther: boolean
  here: readonly Entry[]
  /** What begins in this cell; it may reach up to `end`. */
  begun: readonly Entry[]
  end: Day
  lanes: ReadonlyMap<string, number>
  more: number
  line: number
  isCursor: boolean
  onCursor: (day: Day) => void
  handlers: Handlers
}) {
  const t = useText('calendar')
  const { clock, onShow, onDraw } = useGrid()
  const { moving } = handlers
  const isTarget = moving && dayOfWall(moving.range.start) <= day && day <= dayOfWall(moving.range.end - 1)
  const create = () => onDraw({ start: wallOf(day, 9 * 60), end: wallOf(day, 10 * 60) }, false)
  const isToday = day === clock.today
  return (
    <div
      role="gridcell"
      data-day={day}
      tabIndex={isCursor ? 0 : -1}
      aria-current={isToday ? 'date' : undefined}
      onFocus={() => onCursor(day)}
      onPointerDown={(event) => handlers.press(event, 'draw', null)}
      onClick={create}
      onKeyDown={(event) => {
        if (event.target !== event.currentTarget || event.key !== 'Enter') return
        event.preventDefault()
        create()
      }}
      className={classNames(
        'relative min-w-0 border-s border-line focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-ring',
        isTarget ? 'bg-accent-soft' : isOther ? 'bg-sunken' : 'hover:bg-hover/40',
      )}
    >
      <button
        type="button"
        tabIndex={isCursor ? 0 : -1}
        onPointerDown={(event) => event.stopPropagation()}
        onClick={(event) => {
          event.stopPropagation()
          onShow('day', day)
        }}
        className={classNames(
          'm-0.5 grid size-6 place-items-center rounded-full text-xs tabular-nums hover:bg-hover',
          isToday
            ? 'bg-accent font-semibold text-on-accent hover:bg-accent-strong'
            : isOther
              ? 'text-faint'
              : 'text-ink',
        )}
      >
        <span aria-hidden>{formatDay(day, 'number')}</span>
        <span className="sr-only">{t('showDay', { day: formatDay(day, 'dayAndYear') })}</span>
      </button>
      {begun.map((entry) => {
        const style = {
          top: headHeight + (lanes.get(entry.key) ?? 0) * lineHeight,
          height: lineHeight - 1,
          width: `calc(${(Math.min(entry.last, end) - day + 1) * 100}% - 5px)`,
        }
        const usual = { tabbable: isCursor, className: 'absolute start-0.5 z-1', style }
        if ('run' in entry) return <RunLink key={entry.key} mark={entry} {...usual} />
        return (
          <EventButton
            key={entry.key}
            placement={entry}
            handlers={handlers}
            look={entry.isBand ? 'box' : 'line'}
            {...usual}
          >
            <span aria-hidden className="flex items-center gap-1">
              {!entry.isBand && (
                <>
                  <span className="size-2 shrink-0 rounded-full bg-(--tint)" />
                  <span className="shrink-0 text-muted tabular-nums @max-[36rem]:hidden">
                    {formatShortTime(entry.range.start)}
                  </span>
                </>
              )}
              <span dir="auto" className="truncate">
                {entry.event.title}
              </span>
              <RepeatSign placement={entry} />
            </span>
          </EventButton>
        )
      })}
      {more > 0 && (
        <MoreEvents
          day={day}
          here={here}
          more={more}
          tabbable={isCursor}
          style={{ top: headHeight + Math.max(0, line) * lineHeight }}
        />
      )}
    </div>
  )
}

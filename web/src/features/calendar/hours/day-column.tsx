import { factSeparator } from '../../../lib/format.ts'
import { classNames } from '../../../lib/class-names.ts'
import { ownTime } from '../data/event-words.ts'
import { isWritable } from '../data/events.ts'
import { formatDay, formatTimes } from '../data/format.ts'
import { EventButton, RepeatSign } from '../grid/event-button.tsx'
import { useGrid } from '../grid/grid-context.ts'
import type { Handlers } from '../grid/use-moving.ts'
import { layOutColumns } from '../layout/columns.ts'
import { type Placement, stretchOn } from '../layout/placement.ts'
import { RunLink } from '../runs/run-link.tsx'
import { type Day, dayOfWall, minuteOfWall, minutesOfDay, wallOf } from '../time/day.ts'
import { hourHeight, leastHeight, minutePixels } from './measures.ts'
import { useText } from 'virtual:words/calendar'

/** The hours of one day, with what is planned in them. */
export function DayColumn({ day, handlers }: { day: Day; handlers: Handlers }) {
  const { placements, entries, clock, onDraw } = useGrid()
  const box = entries.filter(({ isBand, first, last }) => !isBand && first <= day && day <= last)
  const columns = layOutColumns(box.flatMap((placement) => stretchOn(placement, day) ?? []))
  const bands = placements.filter(({ isBand }) => isBand).map(({ key }) => key)
  const { moving } = handlers
  const ghost = moving && !(moving.key !== null && bands.includes(moving.key)) && stretchOf(moving.range, day)
  return (
    <div
      role="gridcell"
      data-hours={day}
      className="relative min-w-0 border-s border-line"
      style={{
        height: 24 * hourHeight,
        backgroundImage: 'linear-gradient(var(--line) 1px, transparent 1px)',
        backgroundSize: `100% ${hourHeight}px`,
      }}
    >
      <span className="sr-only">{formatDay(day, 'dayAndYear')}</span>
      {/* By keys the place of a new one is chosen with the cursor of the grid. */}
      <div
        aria-hidden
        className="absolute inset-0"
        onPointerDown={(event) => handlers.press(event, 'draw', null)}
        onClick={(event) => {
          const { top } = event.currentTarget.getBoundingClientRect()
          const minute = Math.floor((event.clientY - top) / minutePixels / 30) * 30
          const start = wallOf(day, Math.max(0, Math.min(minute, 23 * 60)))
          onDraw({ start, end: start + 60 }, false)
        }}
      />
      {box.map((entry) => {
        const part = stretchOn(entry, day)
        const place = columns.get(entry.key)
        if (!part || !place) return null
        const height = Math.max(leastHeight, (part.end - part.start) * minutePixels - 1)
        const style = {
          top: Math.min(part.start * minutePixels, 24 * hourHeight - leastHeight),
          height,
          insetInlineStart: `${(place.column / place.columns) * 100}%`,
          width: `calc(${(place.span / place.columns) * 100}% - 3px)`,
        }
        const usual = { tabbable: day === entry.first, className: 'absolute z-1', style }
        if ('run' in entry) return <RunLink key={entry.key} mark={entry} {...usual} />
        return (
          <EventButton key={entry.key} placement={entry} handlers={handlers} look="box" {...usual}>
            <EventBlock placement={entry} isLow={height < 36} />
            {isWritable(entry.event) && day === entry.last && (
              <span
                aria-hidden
                className="absolute inset-x-0 bottom-0 h-1.5 cursor-ns-resize pointer-coarse:h-4"
                onPointerDown={(event) => {
                  event.stopPropagation()
                  handlers.press(event, 'stretch', entry)
                }}
              />
            )}
          </EventButton>
        )
      })}
      {ghost && (
        <div
          aria-hidden
          className="pointer-events-none absolute inset-x-0.5 z-3 overflow-hidden rounded-sm border-2 border-accent-line bg-accent-soft px-1.5 text-xs text-accent-ink"
          style={{
            top: ghost.start * minutePixels,
            height: Math.max(leastHeight, (ghost.end - ghost.start) * minutePixels),
          }}
        >
          {formatTimes(moving.range)}
        </div>
      )}
      {day === clock.today && (
        <div
          aria-hidden
          data-now
          className="pointer-events-none absolute inset-x-0 z-2 border-t-2 border-danger-ink before:absolute before:-start-1 before:-top-1.25 before:size-2 before:rounded-full before:bg-danger-ink"
          style={{ top: minuteOfWall(clock.now) * minutePixels }}
        />
      )}
    </div>
  )
}

function EventBlock({ placement, isLow }: { placement: Placement; isLow: boolean }) {
  const t = useText('calendar')
  const { zone } = useGrid()
  const { event, range } = placement
  const times = [formatTimes(range), ownTime(t, event, zone)].filter(Boolean).join(factSeparator())
  return (
    <span
      aria-hidden
      className={classNames('flex h-full flex-col justify-start *:shrink-0', isLow ? 'leading-5' : 'py-0.5')}
    >
      <span className="flex items-center gap-1">
        <span dir="auto" className="truncate font-medium">
          {event.title}
        </span>
        <RepeatSign placement={placement} />
        {isLow && <span className="truncate text-muted">{times}</span>}
      </span>
      {!isLow && <span className="truncate text-ink/85">{times}</span>}
      {!isLow && event.place && (
        <span dir="auto" className="truncate text-ink/85">
          {event.place}
        </span>
      )}
    </span>
  )
}

/** What of a stretch of time is on a day, in minutes of it. */
function stretchOf({ start, end }: { start: number; end: number }, day: Day) {
  if (dayOfWall(start) > day || dayOfWall(end - 1) < day || end - start >= minutesOfDay) return null
  return { start: Math.max(0, start - wallOf(day, 0)), end: Math.min(minutesOfDay, end - wallOf(day, 0)) }
}

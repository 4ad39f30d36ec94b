import { MapPin } from 'lucide-react'
import { factSeparator } from '../../../lib/format.ts'
import { classNames } from '../../../lib/class-names.ts'
import { colorOfEvent, colorToStyle } from '../data/colors.ts'
import { ownTime } from '../data/event-words.ts'
import { formatTimes } from '../data/format.ts'
import { RepeatSign } from '../grid/event-button.tsx'
import { useGrid } from '../grid/grid-context.ts'
import { type Placement, stretchOn } from '../layout/placement.ts'
import { type Day, minutesOfDay, wallOf } from '../time/day.ts'
import { useText } from 'virtual:words/calendar'

/** One event in a list of a day: when on that day, what, and where. */
export function EventRow({ placement, day, onOpened }: { placement: Placement; day: Day; onOpened?: () => void }) {
  const t = useText('calendar')
  const { calendars, zone, onOpen } = useGrid()
  const { event } = placement
  const own = ownTime(t, event, zone)
  return (
    <button
      type="button"
      data-event={placement.key}
      style={colorToStyle(colorOfEvent(event, calendars))}
      onClick={() => {
        onOpened?.()
        onOpen(event)
      }}
      className="flex w-full items-start gap-3 rounded-md px-2 py-1.5 text-start hover:bg-hover"
    >
      <span aria-hidden className="mt-1.5 size-2.5 shrink-0 rounded-full bg-(--tint)" />
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-1.5">
          <span
            dir="auto"
            className={classNames('truncate font-medium', event.status === 'cancelled' && 'line-through')}
          >
            {event.title}
          </span>
          <RepeatSign placement={placement} />
        </span>
        <span className="block text-sm text-muted">
          {[timesOn(placement, day) ?? t('allDay'), own, event.status !== 'confirmed' && t(`status.${event.status}`)]
            .filter(Boolean)
            .join(factSeparator())}
        </span>
        {event.place && (
          <span className="flex items-center gap-1 text-sm text-muted">
            <MapPin aria-hidden className="size-3.5 shrink-0" />
            <span dir="auto" className="truncate">
              {event.place}
            </span>
          </span>
        )}
      </span>
    </button>
  )
}

/** Its times on a day; null where that is all of it. */
function timesOn(placement: Placement, day: Day): string | null {
  const part = stretchOn(placement, day)
  if (!part || placement.event.allDay || (part.start === 0 && part.end === minutesOfDay)) return null
  return formatTimes({ start: wallOf(day, part.start), end: wallOf(day, part.end) })
}

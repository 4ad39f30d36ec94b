/** What is read aloud of an event in a grid. */
import type { Calendar, CalendarEvent } from '@atrium/contract/calendar'
import type { Translate } from '../../../lib/texts.ts'
import type { Placement } from '../layout/placement.ts'
import { rangeOfEvent } from '../layout/placement.ts'
import { isSameTime } from '../time/zone.ts'
import { formatRange, formatTimes } from './format.ts'

/** `Lunch, 12:00 – 13:00, Work, repeats`. */
export function sayEvent(
  t: Translate,
  { event, range, isBand }: Placement,
  calendars: readonly Calendar[],
  zone: string,
) {
  const calendar = calendars.find(({ id }) => id === event.calendarId)
  return [
    event.title,
    isBand ? formatRange(range, event.allDay) : formatTimes(range),
    ownTime(t, event, zone),
    event.answer !== null && t(`guests.answer.${event.answer}`),
    event.status !== 'confirmed' && t(`status.${event.status}`),
    event.place,
    calendar?.name,
    event.recurrence && t('repeats'),
  ]
    .filter(Boolean)
    .join(t('repeat.comma'))
}

/** When an event is on the clocks of its own zone; null where the viewer’s show the same. */
export function ownTime(t: Translate, event: CalendarEvent, zone: string): string | null {
  if (event.allDay || event.timeZone === null) return null
  if (isSameTime(Date.parse(event.startAt), event.timeZone, zone)) return null
  const times = formatTimes(rangeOfEvent(event, event.timeZone))
  return t('ownTime', { times, zone: zoneName(event.timeZone) })
}

/** `New York` of `America/New_York`. */
export const zoneName = (zone: string): string => zone.split('/').at(-1)?.replaceAll('_', ' ') ?? zone

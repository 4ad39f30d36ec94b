/** The colours of calendars and events. */
import type { Calendar, CalendarEvent } from '@atrium/contract/calendar'

/** Offered by name, which is a key under `color`. */
export const palette = [
  ['teal', '#0f8a83'],
  ['blue', '#3a7bd5'],
  ['violet', '#7b61d1'],
  ['pink', '#c44d8f'],
  ['red', '#cf4a3c'],
  ['orange', '#c9741a'],
  ['green', '#4c8f3c'],
  ['grey', '#6b7680'],
] as const

const usual = '#0f8a83'

/** Its own, or one that stays the same for as long as nobody chose another. */
export function colorOfCalendar(calendar: Pick<Calendar, 'id' | 'color'> | undefined): string {
  if (!calendar) return usual
  if (calendar.color) return calendar.color
  let sum = 0
  for (const letter of calendar.id) sum = (sum * 31 + letter.charCodeAt(0)) % 997
  return palette[sum % palette.length]?.[1] ?? usual
}

export const colorOfEvent = (
  event: Pick<CalendarEvent, 'color' | 'calendarId'>,
  calendars: readonly Calendar[],
): string => event.color ?? colorOfCalendar(calendars.find(({ id }) => id === event.calendarId))

/** Give it to an element whose classes use `--tint`. */
export const colorToStyle = (color: string): React.CSSProperties => ({ '--tint': color }) as React.CSSProperties

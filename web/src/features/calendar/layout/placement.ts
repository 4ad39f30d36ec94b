/** Where an event stands on the clocks of its viewer. Pure. */
import type { CalendarEvent } from '@atrium/contract/calendar'
import { type Day, dayOfWall, dayToText, minutesOfDay, textToDay, textToWall, wallOf, wallToText } from '../time/day.ts'
import { instantToWall, wallToInstant } from '../time/zone.ts'
import type { Stretch } from './columns.ts'
import type { Range } from './drag.ts'

/** Where something stands. */
export interface Mark {
  readonly key: string
  /** From midnight to midnight where it lasts all day. */
  readonly range: Range
  /** Drawn over days rather than hours: it lasts all day, or a day and more. */
  readonly isBand: boolean
  /** The first and the last day that it touches. */
  readonly first: Day
  readonly last: Day
}

export interface Placement extends Mark {
  readonly event: CalendarEvent
}

/** `range`, where it is not (yet) where the event says. */
export function placeEvent(event: CalendarEvent, zone: string, range: Range = rangeOfEvent(event, zone)): Placement {
  const first = dayOfWall(range.start)
  const last = Math.max(first, dayOfWall(range.end - 1))
  return { event, key: event.id, range, isBand: event.allDay || range.end - range.start >= minutesOfDay, first, last }
}

/** When an event is, on the clocks of a zone. */
export function rangeOfEvent(event: CalendarEvent, zone: string): Range {
  if (event.allDay) {
    const first = textToDay(event.startDate) ?? 0
    return { start: wallOf(first, 0), end: wallOf(Math.max(first + 1, textToDay(event.endDate) ?? 0), 0) }
  }
  if (event.timeZone === null) {
    const start = textToWall(event.startLocal) ?? 0
    return { start, end: Math.max(start, textToWall(event.endLocal) ?? start) }
  }
  const start = instantToWall(Date.parse(event.startAt), zone)
  const end = instantToWall(Date.parse(event.endAt), zone)
  // Where clocks go back it may end before the time at which it began.
  return { start, end: end > start ? end : start + minutesBetween(event) }
}

/** What of it stands on a day, in minutes of that day; null where it is not on it. */
export function stretchOn({ key, range, first, last }: Mark, day: Day): Stretch | null {
  if (day < first || day > last) return null
  const start = Math.max(0, range.start - wallOf(day, 0))
  return { key, start, end: Math.min(minutesOfDay, Math.max(start, range.end - wallOf(day, 0))) }
}

/** The fields of an event that put it where a range is on the clocks of a zone. One that is only moved keeps its length. */
export function timesAt(range: Range, event: CalendarEvent, zone: string): Times {
  if (event.allDay) return { startDate: dayToText(dayOfWall(range.start)), endDate: dayToText(dayOfWall(range.end)) }
  if (event.timeZone === null) return { startLocal: toLocal(range.start), endLocal: toLocal(range.end) }
  const before = rangeOfEvent(event, zone)
  const isMoved = range.end - range.start === before.end - before.start
  const start = wallToInstant(range.start, zone)
  const end = isMoved ? start + Date.parse(event.endAt) - Date.parse(event.startAt) : wallToInstant(range.end, zone)
  return {
    startLocal: toLocal(instantToWall(start, event.timeZone)),
    endLocal: toLocal(instantToWall(Math.max(start, end), event.timeZone)),
  }
}

export type Times = { startDate: string; endDate: string } | { startLocal: string; endLocal: string }

/** Bands first, then by their beginning; longer ones before shorter ones. */
export const byPlace = (a: Mark, b: Mark): number =>
  Number(b.isBand) - Number(a.isBand) ||
  a.first - b.first ||
  (a.isBand ? b.last - a.last : 0) ||
  a.range.start - b.range.start ||
  b.range.end - a.range.end ||
  (a.key < b.key ? -1 : 1)

export const toLocal = (wall: number): string => `${wallToText(wall)}:00`

const minutesBetween = ({ startAt, endAt }: CalendarEvent): number =>
  Math.max(0, Math.round((Date.parse(endAt) - Date.parse(startAt)) / 60_000))

/** Events as iCalendar (RFC 5545): folded, escaped, with the zones that they name. */
import ICAL from 'ical.js'
import { tzlib_get_ical_block as zoneBlock } from 'timezones-ical-library'
import type { OccurrenceChange, Property } from '../content.ts'
import { answeredAlone, type Attendance, attendeesOf } from '../guests/attendees.ts'
import {
  formatLocal,
  isFloating,
  localOf,
  occurrenceAt,
  placeTiming,
  ruleIn,
  durationOf,
} from '../series/occurrences.ts'
import type { StoredEvent } from '../stores/events.ts'
import { wallAt } from '../../../platform/time/index.ts'

/** Before the first event. `name`: of the calendar, where it has one. */
export const calendarHead = (name: string | null): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Atrium//Calendar//EN', 'CALSCALE:GREGORIAN', '']
    .join('\r\n')
    // Some programs know this line only without its type.
    .concat(name === null ? '' : `${line(['x-wr-calname', {}, 'text', name]).replace(';VALUE=TEXT', '')}\r\n`)

/** After the last event. */
export const calendarEnd = 'END:VCALENDAR\r\n'

/** The rules of a zone by its name; null for UTC, which needs none. */
export const zoneComponent = (zone: string): string | null => {
  if (zone === 'UTC') return null
  const [block] = zoneBlock(zone)
  return typeof block === 'string' && block.startsWith('BEGIN:VTIMEZONE')
    ? `${block.replace(/^TZID:.*$/m, `TZID:${zone}`)}\r\n`
    : null
}

/**
 * An event, with those of its occurrences that were changed or answered on their own. `reminders`: minutes before, of
 * whoever takes it along. `attendance`: who is invited; null: it is not told.
 */
export const eventComponents = (
  event: StoredEvent,
  reminders: readonly number[],
  attendance: Attendance | null,
): string => {
  const { content } = event
  const withGuests = (told: Told, occurrence: number | null): Told =>
    attendance === null ? told : { ...told, extra: [...told.extra, ...attendeesOf(attendance, occurrence, told.extra)] }
  const alone = attendance === null ? [] : answeredAlone(content, attendance.guests)
  const changes: OccurrenceChange[] = [...content.changes, ...alone.map((occurrence) => ({ occurrence }))]
  const components = [
    component(event, withGuests(content, null), recurrenceOf(event), reminders),
    ...changes.map((change) =>
      component(
        event,
        withGuests(changedTo(event, change), change.occurrence),
        [moment('recurrence-id', event, localOf(content, change.occurrence))],
        reminders,
      ),
    ),
  ]
  return components.map((text) => `${text}\r\n`).join('')
}

type Told = Pick<
  StoredEvent['content'],
  'title' | 'notes' | 'place' | 'link' | 'color' | 'status' | 'start' | 'end' | 'extra'
>

const changedTo = ({ content }: StoredEvent, change: OccurrenceChange): Told => {
  const start = change.start ?? localOf(content, change.occurrence)
  const zone = isFloating(content) ? 'UTC' : (content.timeZone ?? 'UTC')
  const end = change.end ?? formatLocal(content, wallAt(zone, occurrenceAt(content, start) + durationOf(content)))
  return { ...content, ...change, start, end, extra: change.extra ?? content.extra }
}

const component = (
  event: StoredEvent,
  told: Told,
  recurrence: readonly Property[],
  reminders: readonly number[],
): string => {
  const { content } = event
  const text = (name: string, value: string): Property[] => (value === '' ? [] : [[name, {}, 'text', value]])
  const properties: Property[] = [
    ['uid', {}, 'text', content.uid],
    ['dtstamp', {}, 'date-time', utc(event.updatedAt)],
    ['created', {}, 'date-time', utc(event.createdAt)],
    ['last-modified', {}, 'date-time', utc(event.updatedAt)],
    ['sequence', {}, 'integer', content.sequence],
    moment('dtstart', event, told.start),
    ...(hasEnd(event, told) ? [moment('dtend', event, told.end)] : []),
    ...recurrence,
    ['summary', {}, 'text', told.title],
    ...text('description', told.notes),
    ...text('location', told.place),
    ...(told.link === '' ? [] : [['url', {}, 'uri', told.link]]),
    ...(told.color === null ? [] : [['x-atrium-color', {}, 'text', told.color]]),
    ['status', {}, 'text', told.status.toUpperCase()],
    ...told.extra,
  ]
  const alarms = reminders.map((minutes) => [
    'valarm',
    [
      ['action', {}, 'text', 'DISPLAY'],
      ['description', {}, 'text', told.title],
      ['trigger', {}, 'duration', minutes === 0 ? 'PT0S' : `-PT${minutes}M`],
    ],
    [],
  ])
  return ICAL.stringify.component(['vevent', properties, alarms] as never, ICAL.design.icalendar)
}

/** What lasts no time has only a start. */
const hasEnd = ({ content }: StoredEvent, { start, end }: Told): boolean => {
  const { startAt, endAt } = placeTiming({ ...content, start, end }, 'UTC')
  return endAt > startAt
}

const recurrenceOf = (event: StoredEvent): Property[] => {
  const { recurrence, allDay } = event.content
  if (recurrence === null) return []
  const rule = ruleIn(recurrence, allDay)
  const dates = recurrence.kind === 'rule' ? (recurrence.dates ?? []) : []
  const exceptDates = recurrence.kind === 'rule' ? (recurrence.exceptDates ?? []) : []
  return [
    ...(rule === null ? [] : [['rrule', {}, 'recur', ICAL.Recur.fromString(rule.replace(/^RRULE:/i, '')).toJSON()]]),
    ...dates.map((text) => moment('rdate', event, text)),
    ...exceptDates.map((text) => moment('exdate', event, text)),
  ]
}

/** A local time or a day of an event. */
const moment = (name: string, { content }: StoredEvent, text: string): Property => {
  if (!text.includes('T')) return [name, {}, 'date', text]
  const local = text.length === 16 ? `${text}:00` : text
  if (content.timeZone === null) return [name, {}, 'date-time', local]
  return content.timeZone === 'UTC'
    ? [name, {}, 'date-time', `${local}Z`]
    : [name, { tzid: content.timeZone }, 'date-time', local]
}

const line = (property: Property): string => ICAL.stringify.property(property as never, ICAL.design.icalendar, false)
const utc = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`

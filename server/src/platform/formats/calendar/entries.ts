/** Reads the events of a file of iCalendar. It runs in a process of its own, as all reading does. */
import ICAL from 'ical.js'
import { ReadFault } from '../fault.ts'
import { cleanText } from '../text/clean.ts'
import { decodeText } from '../text/decode.ts'
import { parseCalendars } from '../text/ics.ts'
import type { CalendarEntry, CalendarFile, CalendarMoment, CalendarProperty, EntryFault } from './types.ts'
import { type ZoneNames, zoneNamesOf } from './zones.ts'

/** Throws ReadFault: `damaged` for what is no whole calendar, `too_complex` for more than `most` events. */
export const readCalendarEntries = (bytes: Uint8Array, most: number): CalendarFile => {
  const calendars = parseCalendars(decodeText(bytes))
  const zones = zoneNamesOf(calendars)
  const entries: CalendarEntry[] = []
  const skipped: { title: string; reason: EntryFault }[] = []
  for (const calendar of calendars)
    for (const component of calendar.getAllSubcomponents()) {
      if (component.name === 'vtimezone') continue
      if (entries.length + skipped.length >= most) throw new ReadFault('too_complex')
      const title = wordsIn(component, 'summary')
      try {
        if (component.name !== 'vevent') throw new EntryProblem('not_an_event')
        entries.push(readEntry(component, title, zones))
      } catch (error) {
        skipped.push({ title: title.slice(0, 200), reason: error instanceof EntryProblem ? error.reason : 'bad_time' })
      }
    }
  return { entries, skipped, unknownZones: [...zones.unknown] }
}

class EntryProblem extends Error {
  readonly reason: EntryFault
  constructor(reason: EntryFault) {
    super(reason)
    this.reason = reason
  }
}

/** What is read into members of an entry, and what is only about this very file. */
const understood = new Set([
  ...[
    'summary',
    'description',
    'location',
    'url',
    'status',
    'dtstart',
    'dtend',
    'duration',
    'rrule',
    'rdate',
    'exdate',
  ],
  ...['recurrence-id', 'uid', 'sequence', 'dtstamp', 'created', 'last-modified', 'x-atrium-color'],
])
const mostExtra = 200
const mostDates = 1000

const readEntry = (component: ICAL.Component, title: string, zones: ZoneNames): CalendarEntry => {
  const moments = (name: string): CalendarMoment[] =>
    component.getAllProperties(name).flatMap((property) => momentsIn(property, zones))
  const [start] = moments('dtstart')
  if (!start) throw new EntryProblem('no_start')
  const rules = component.getAllProperties('rrule')
  // Two rules, or one that takes away, would have to be simplified.
  if (rules.length > 1 || component.hasProperty('exrule')) throw new EntryProblem('bad_rule')
  const [dates, exceptDates] = [moments('rdate'), moments('exdate')]
  if (dates.length > mostDates || exceptDates.length > mostDates) throw new EntryProblem('bad_rule')
  const status = wordsIn(component, 'status').toLowerCase()
  const color = wordsIn(component, 'x-atrium-color')
  const link = wordsIn(component, 'url')
  const uid = wordsIn(component, 'uid').slice(0, 1000)
  const replaces = moments('recurrence-id')[0] ?? null
  return {
    uid: uid === '' ? null : uid,
    title,
    notes: wordsIn(component, 'description'),
    place: wordsIn(component, 'location'),
    link: /^(?:https?|mailto):\S+$/i.test(link) ? link : '',
    color: /^#[0-9a-f]{6}$/i.test(color) ? color : null,
    status: status === 'tentative' || status === 'cancelled' ? status : 'confirmed',
    start,
    end: moments('dtend')[0] ?? null,
    durationMs: durationIn(component),
    rule: ruleIn(rules[0]),
    dates,
    exceptDates,
    replaces,
    following:
      replaces !== null &&
      component.getFirstProperty('recurrence-id')?.getFirstParameter('range')?.toUpperCase() === 'THISANDFUTURE',
    sequence: Math.max(0, Math.trunc(Number(wordsIn(component, 'sequence')) || 0)),
    reminders: remindersIn(component),
    extra: component
      .getAllProperties()
      .filter(
        ({ name }) =>
          !understood.has(name) || (name === 'url' && link !== '' && !/^(?:https?|mailto):\S+$/i.test(link)),
      )
      .slice(0, mostExtra)
      .map((property) => property.toJSON() as CalendarProperty),
  }
}

const wordsIn = (component: ICAL.Component, name: string): string => {
  const value: unknown = component.getFirstProperty(name)?.getFirstValue() ?? ''
  return cleanText(typeof value === 'string' ? value : String(value)).trim()
}

/** The values of a property of days and times. Throws for one that is none. */
const momentsIn = (property: ICAL.Property, zones: ZoneNames): CalendarMoment[] => {
  const tzid: unknown = property.getFirstParameter('tzid')
  return (property.getValues() as unknown[]).map((value) => {
    // A period has a length of its own, which an occurrence here has not.
    if (!(value instanceof ICAL.Time)) throw new EntryProblem(property.name === 'rdate' ? 'bad_rule' : 'bad_time')
    const text = value.toString()
    if (!/^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}Z?)?$/.test(text)) throw new EntryProblem('bad_time')
    if (value.isDate) return { isDay: true, text, zone: null }
    if (text.endsWith('Z')) return { isDay: false, text: text.slice(0, -1), zone: 'UTC' }
    return { isDay: false, text, zone: typeof tzid === 'string' && tzid !== '' ? zones.resolve(tzid) : null }
  })
}

const durationIn = (component: ICAL.Component): number | null => {
  const value: unknown = component.getFirstProperty('duration')?.getFirstValue()
  return value instanceof ICAL.Duration ? value.toSeconds() * 1000 : null
}

const ruleIn = (property: ICAL.Property | undefined): string | null => {
  const value: unknown = property?.getFirstValue()
  if (value === undefined || value === null) return null
  if (!(value instanceof ICAL.Recur)) throw new EntryProblem('bad_rule')
  return value.toString()
}

/** Alarms that come so many minutes before the start. */
const remindersIn = (component: ICAL.Component): number[] => {
  const minutes = component.getAllSubcomponents('valarm').flatMap((alarm) => {
    const trigger = alarm.getFirstProperty('trigger')
    const value: unknown = trigger?.getFirstValue()
    const related = trigger?.getFirstParameter('related')?.toUpperCase()
    if (!(value instanceof ICAL.Duration) || related === 'END' || value.toSeconds() > 0) return []
    return [Math.round(-value.toSeconds() / 60)]
  })
  return [...new Set(minutes)].filter((before) => before <= 40_320).slice(0, 5)
}

/** Calendars: each event, task and journal entry as a paragraph. */
import ICAL from 'ical.js'
import { ReadFault } from '../fault.ts'
import type { Extract } from '../types.ts'
import { cleanText, oneLine } from './clean.ts'
import { decodeText } from './decode.ts'

export const readIcs = (bytes: Uint8Array): Extract => {
  const calendars = parseCalendars(decodeText(bytes))
  const paragraphs: string[] = []
  let title: string | null = null
  for (const calendar of calendars) {
    title ??= oneLine(cleanText(valueOf(calendar, 'x-wr-calname'))) || null
    for (const entry of calendar.getAllSubcomponents()) {
      const kind = kinds[entry.name]
      const paragraph = kind === undefined ? '' : paragraphOf(kind, entry)
      if (paragraph !== '') paragraphs.push(cleanText(paragraph))
    }
  }
  if (paragraphs.length === 0) throw new ReadFault('no_text')
  return { text: paragraphs.join('\n\n'), segments: [], title }
}

const kinds: Readonly<Record<string, string>> = { vevent: 'Event', vtodo: 'Task', vjournal: 'Journal' }

/** The calendars of a file. Throws ReadFault. */
export const parseCalendars = (source: string): ICAL.Component[] => {
  if (!/^BEGIN:VCALENDAR\s*$/im.test(source)) throw new ReadFault('damaged')
  checkShape(source)
  try {
    const found: unknown[] = ICAL.parse(source)
    // One calendar comes as itself, several as a list of them.
    const calendars = (typeof found[0] === 'string' ? [found] : found) as unknown[][]
    return calendars.map((calendar) => new ICAL.Component(calendar))
  } catch (error) {
    if (error instanceof RangeError) throw new ReadFault('too_complex')
    throw new ReadFault('damaged')
  }
}

/** Calendars hold entries, entries alarms, and properties few parameters: more is made to do harm. */
const checkShape = (source: string): void => {
  let depth = 0
  for (const match of source.matchAll(/^(BEGIN|END):/gim)) {
    depth += match[1]?.toUpperCase() === 'BEGIN' ? 1 : -1
    if (depth > 50) throw new ReadFault('too_complex')
  }
  if (/^[^:\n]{20000}/m.test(source.replace(/\n[ \t]/g, ''))) throw new ReadFault('too_complex')
}

const paragraphOf = (kind: string, entry: ICAL.Component): string => {
  const lines: readonly (readonly [string, string])[] = [
    [kind, valueOf(entry, 'summary')],
    ['Starts', timeOf(entry, 'dtstart')],
    ['Ends', timeOf(entry, 'dtend')],
    ['Lasts', valueOf(entry, 'duration')],
    ['Due', timeOf(entry, 'due')],
    ['Repeats', valueOf(entry, 'rrule')],
    ['Not on', valuesOf(entry, 'exdate').join(', ')],
    ['Where', valueOf(entry, 'location')],
    ['Organizer', personOf(entry.getFirstProperty('organizer'))],
    ['Attendees', entry.getAllProperties('attendee').slice(0, 200).map(personOf).filter(Boolean).join(', ')],
    ['Status', valueOf(entry, 'status')],
    ['Categories', valuesOf(entry, 'categories').join(', ')],
    ['Link', valueOf(entry, 'url')],
    ['Description', valueOf(entry, 'description')],
  ]
  return lines.flatMap(([name, value]) => (value.trim() === '' ? [] : [`${name}: ${value.trim()}`])).join('\n')
}

const valueOf = (entry: ICAL.Component, name: string): string => valueIn(entry.getFirstProperty(name))

const valuesOf = (entry: ICAL.Component, name: string): string[] =>
  entry.getAllProperties(name).slice(0, 200).map(valueIn).filter(Boolean)

const valueIn = (property: ICAL.Property | null): string => {
  try {
    return (property?.getValues() ?? []).map((value) => String(value ?? '')).join(', ')
  } catch {
    // A date that is none: the entry is worth reading without it.
    return ''
  }
}

/** `2026-11-21 14:30 (Europe/Berlin)`, as the calendar says it; a day alone for one that lasts all day. */
const timeOf = (entry: ICAL.Component, name: string): string => {
  const property = entry.getFirstProperty(name)
  const value = valueIn(property)
  if (!property || value === '') return ''
  const [day = '', time = ''] = value.split('T')
  const zone = property.getFirstParameter('tzid') || (time.endsWith('Z') ? 'UTC' : '')
  const clock = time.replace('Z', '').replace(/:00$/, '')
  return [day, clock, zone && clock && `(${zone})`].filter(Boolean).join(' ')
}

const personOf = (property: ICAL.Property | null): string => {
  if (!property) return ''
  const name = property.getFirstParameter('cn')
  const address = valueIn(property).replace(/^mailto:/i, '')
  return name && address && name !== address ? `${name} <${address}>` : name || address
}

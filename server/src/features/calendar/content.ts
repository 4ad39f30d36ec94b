/** What is kept of an event beside its bounds: what people wrote, when it is, and what came from elsewhere. */
import { Color, EventStatus, Recurrence } from '@atrium/contract/calendar'
import { z } from 'zod'
import { storedJson } from '../../platform/stored-json.ts'

/** A property of iCalendar as jCal (RFC 7265) writes it: name, parameters, type and values. */
export const Property = z.array(z.unknown()).min(4)
export type Property = z.infer<typeof Property>

const Words = { title: z.string(), notes: z.string(), place: z.string(), link: z.string() }

/** Local times (`2026-11-26T09:30:00`), or days where it lasts all day, the end behind the last of them. */
const Times = { start: z.string(), end: z.string() }

/** An occurrence that was changed on its own: what of it is not as in the series. */
export const OccurrenceChange = z.strictObject({
  /** When it would begin, in integer milliseconds. */
  occurrence: z.number().int(),
  ...z.object({ ...Words, ...Times, status: EventStatus }).partial().shape,
  color: Color.nullable().optional(),
  extra: z.array(Property).optional(),
})
export type OccurrenceChange = z.infer<typeof OccurrenceChange>

export const EventContent = z.strictObject({
  ...Words,
  ...Times,
  color: Color.nullable(),
  status: EventStatus,
  allDay: z.boolean(),
  /** null: floating, or all day. */
  timeZone: z.string().nullable(),
  recurrence: Recurrence.nullable(),
  changes: z.array(OccurrenceChange),
  /** By which other programs know it. */
  uid: z.string(),
  sequence: z.number().int(),
  /** Properties that came with it and mean nothing here; they leave as they came. */
  extra: z.array(Property),
  /** The chat in which a model made it; absent: a person did, or a file. */
  fromChat: z.string().optional(),
})
export type EventContent = z.infer<typeof EventContent>

export const storedContent = storedJson('calendar_events.content', EventContent)

/** At most so much of an event is kept, its changed occurrences and foreign properties included. */
export const mostContentBytes = 1024 * 1024

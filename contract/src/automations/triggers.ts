/** What starts an automation by itself. */
import { z } from 'zod'

const Minute = z.number().int().min(0).max(59)
const Hour = z.number().int().min(0).max(23)
const DayOfMonth = z.number().int().min(1).max(31)
/** The name of a zone of the IANA database: `Europe/Berlin`. */
const TimeZone = z.string().min(1).max(100)

/** Times are of `timeZone`; a `dayOfMonth` that a month has not is its last day. */
export const Trigger = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('once'), at: z.iso.datetime({ offset: true }) }),
  z.strictObject({
    kind: z.literal('hourly'),
    minute: Minute,
    startHour: Hour.optional(),
    /** The last hour, included. */
    endHour: Hour.optional(),
    timeZone: TimeZone,
  }),
  z.strictObject({ kind: z.literal('daily'), hour: Hour, minute: Minute, timeZone: TimeZone }),
  /** 0 is Sunday. */
  z.strictObject({
    kind: z.literal('weekly'),
    dayOfWeek: z.number().int().min(0).max(6),
    hour: Hour,
    minute: Minute,
    timeZone: TimeZone,
  }),
  z.strictObject({
    kind: z.literal('monthly'),
    dayOfMonth: DayOfMonth,
    hour: Hour,
    minute: Minute,
    timeZone: TimeZone,
  }),
  z.strictObject({
    kind: z.literal('yearly'),
    month: z.number().int().min(1).max(12),
    dayOfMonth: DayOfMonth,
    hour: Hour,
    minute: Minute,
    timeZone: TimeZone,
  }),
  z.strictObject({
    kind: z.literal('rule'),
    /** A rule of RFC 5545, without its name: `FREQ=WEEKLY;INTERVAL=2;BYDAY=TU`. */
    rule: z.string().min(1).max(500),
    /** The first one, on the wall clock: `2026-11-26T09:30:00`. */
    startLocal: z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/, 'write it as 2026-11-26T09:30:00'),
    timeZone: TimeZone,
  }),
  z.strictObject({
    kind: z.literal('cron'),
    /** Five fields: minute, hour, day of the month, month, day of the week. */
    expression: z.string().trim().min(9).max(200),
    timeZone: TimeZone,
  }),
  /** By elapsed time, from the moment on that it was written down. */
  z.strictObject({ kind: z.literal('interval'), minutes: z.number().int().min(1).max(525_600) }),
])
export type Trigger = z.infer<typeof Trigger>
export const mostTriggers = 5

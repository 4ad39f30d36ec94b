/** What repeats, as people say it: parts of the shapes of areas that have something that comes again and again. */
import { z } from 'zod'

const Minute = z.number().int().min(0).max(59)
const Hour = z.number().int().min(0).max(23)
const clock = { hour: Hour, minute: Minute }
const dayOfMonth = z.number().int().min(1).max(31)

/** The name of a zone of the IANA database: `Europe/Berlin`. */
export const TimeZone = z.string().min(1).max(100)

/** On the wall clock, without a zone: `2026-11-26T09:30:00`. */
export const LocalTime = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/, 'write it as 2026-11-26T09:30:00')

/** Times are of the zone of what repeats; a `dayOfMonth` that a month has not is its last day. */
export const usualKinds = {
  hourly: z.strictObject({
    kind: z.literal('hourly'),
    minute: Minute,
    startHour: Hour.optional(),
    /** The last hour, included. */
    endHour: Hour.optional(),
  }),
  daily: z.strictObject({ kind: z.literal('daily'), ...clock }),
  /** 0 is Sunday. */
  weekly: z.strictObject({ kind: z.literal('weekly'), dayOfWeek: z.number().int().min(0).max(6), ...clock }),
  monthly: z.strictObject({ kind: z.literal('monthly'), dayOfMonth, ...clock }),
  yearly: z.strictObject({ kind: z.literal('yearly'), month: z.number().int().min(1).max(12), dayOfMonth, ...clock }),
}

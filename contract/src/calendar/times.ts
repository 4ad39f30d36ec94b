/** When events are, and how they repeat. */
import { z } from 'zod'

/** On the wall clock, without a zone: `2026-11-26T09:30:00`. */
export const LocalTime = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/, 'write it as 2026-11-26T09:30:00')
/** `2026-11-26`. */
export const Day = z.iso.date()
/** The name of a zone of the IANA database: `Europe/Berlin`. */
export const TimeZone = z.string().min(1).max(100)

export const mostRuleLetters = 500
export const mostDates = 1000

const Minute = z.number().int().min(0).max(59)
const Hour = z.number().int().min(0).max(23)
const DayOfMonth = z.number().int().min(1).max(31)

/**
 * How an event repeats. Times are of its zone; a `dayOfMonth` that a month has not is its last day. The start of the
 * event is an occurrence, whether the repetition gives it or not.
 */
export const Recurrence = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('hourly'),
    minute: Minute,
    startHour: Hour.optional(),
    /** The last hour, included. */
    endHour: Hour.optional(),
  }),
  z.strictObject({ kind: z.literal('daily'), hour: Hour, minute: Minute }),
  /** 0 is Sunday. */
  z.strictObject({ kind: z.literal('weekly'), dayOfWeek: z.number().int().min(0).max(6), hour: Hour, minute: Minute }),
  z.strictObject({ kind: z.literal('monthly'), dayOfMonth: DayOfMonth, hour: Hour, minute: Minute }),
  z.strictObject({
    kind: z.literal('yearly'),
    month: z.number().int().min(1).max(12),
    dayOfMonth: DayOfMonth,
    hour: Hour,
    minute: Minute,
  }),
  z.strictObject({
    kind: z.literal('rule'),
    /** A rule of RFC 5545, without its name: `FREQ=WEEKLY;BYDAY=TU`. null: the dates alone. */
    rule: z.string().min(1).max(mostRuleLetters).nullable(),
    /** Starts besides those of the rule, as local times, or as days where the event lasts all day. */
    dates: z
      .array(z.union([LocalTime, Day]))
      .max(mostDates)
      .optional(),
    /** Starts that are left out. */
    exceptDates: z
      .array(z.union([LocalTime, Day]))
      .max(mostDates)
      .optional(),
  }),
])
export type Recurrence = z.infer<typeof Recurrence>

/** What of a series a change is about: one occurrence, that and all later ones, or every one. */
export const Scope = z.enum(['this', 'following', 'all'])
export type Scope = z.infer<typeof Scope>

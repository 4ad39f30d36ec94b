/** When events are, and how they repeat. */
import { z } from 'zod'
import { LocalTime, TimeZone, usualKinds } from '../recurrence.ts'

export { LocalTime, TimeZone }

/** `2026-11-26`. */
export const Day = z.iso.date()

export const mostRuleLetters = 500
export const mostDates = 1000

/**
 * How an event repeats. Times are of its zone; a `dayOfMonth` that a month has not is its last day. The start of the
 * event is an occurrence, whether the repetition gives it or not.
 */
export const Recurrence = z.discriminatedUnion('kind', [
  usualKinds.hourly,
  usualKinds.daily,
  usualKinds.weekly,
  usualKinds.monthly,
  usualKinds.yearly,
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

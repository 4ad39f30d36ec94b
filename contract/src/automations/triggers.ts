/** What starts an automation by itself. */
import { z } from 'zod'
import { LocalTime, TimeZone, usualKinds } from '../recurrence.ts'

const inZone = { timeZone: TimeZone }

/** Times are of `timeZone`; a `dayOfMonth` that a month has not is its last day. */
export const Trigger = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('once'), at: z.iso.datetime({ offset: true }) }),
  usualKinds.hourly.extend(inZone),
  usualKinds.daily.extend(inZone),
  usualKinds.weekly.extend(inZone),
  usualKinds.monthly.extend(inZone),
  usualKinds.yearly.extend(inZone),
  z.strictObject({
    kind: z.literal('rule'),
    /** A rule of RFC 5545, without its name: `FREQ=WEEKLY;INTERVAL=2;BYDAY=TU`. */
    rule: z.string().min(1).max(500),
    /** The first one, on the wall clock: `2026-11-26T09:30:00`. */
    startLocal: LocalTime,
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

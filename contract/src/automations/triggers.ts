/** What starts an automation by itself. */
import { z } from 'zod'
import { Id } from '../common.ts'
import { type NotificationKind, notificationKinds } from '../notifications/content.ts'
import { LocalTime, TimeZone, usualKinds } from '../recurrence.ts'

const inZone = { timeZone: TimeZone }

/** Beside what an account is notified of: a message in a channel, a document in a collection, a calendar event that begins. */
export const placeEventKinds = ['channel-message', 'collection-document', 'calendar-event'] as const
/** Its own failures would start an automation again and again. */
type ToldKind = Exclude<NotificationKind, 'automation-failed'>
const isTold = (kind: NotificationKind): kind is ToldKind => kind !== 'automation-failed'
/** What an automation can wait for. */
export const eventKinds: readonly [EventKind, ...EventKind[]] = [
  ...placeEventKinds,
  ...notificationKinds.filter(isTold),
]
export type EventKind = ToldKind | (typeof placeEventKinds)[number]

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
  /** At most once a minute for each automation: what happens in between starts nothing. */
  z.strictObject({
    kind: z.literal('event'),
    event: z.enum(eventKinds),
    /** The channel or collection; the calendar, or null for all of them; null for all else. */
    placeId: Id.nullable().default(null),
    /** It must stand in the title of what happened, or the text of the message; in any case of letters. */
    match: z.string().trim().min(1).max(200).nullable().default(null),
  }),
])
export type Trigger = z.infer<typeof Trigger>
export const mostTriggers = 5

/** Calendars and their events, as accounts see them. */
import { z } from 'zod'
import { Id, Time } from '../common.ts'
import { Right } from '../resources.ts'
import { Day, LocalTime, Recurrence, TimeZone } from './times.ts'

export const mostCalendars = 100
export const mostEvents = 50_000
export const mostNameLetters = 100
export const mostTitleLetters = 200
export const mostNotesLetters = 10_000
export const mostPlaceLetters = 500
export const mostLinkLetters = 2000
/** The largest file of a calendar that is taken in, and how many events it has at most. */
export const mostImportBytes = 10 * 1024 * 1024
export const mostImportEvents = 20_000

export const mostReminders = 5
/** Up to four weeks; 0 is at the start. */
export const ReminderMinutes = z.number().int().min(0).max(40_320)

/** `#3a7bd5`. */
export const Color = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'write it as #3a7bd5')

export const CalendarName = z
  .string()
  .trim()
  .min(1)
  .max(mostNameLetters)
  .regex(
    /^[^\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]*$/u,
    'leave out line breaks and marks that reorder text',
  )

/** Why the calendar at an address could not be read. */
export const SubscriptionFailure = z.enum([
  'unreachable',
  'not_allowed',
  'refused',
  'not_found',
  'not_a_calendar',
  'too_large',
  'too_many_events',
])
export type SubscriptionFailure = z.infer<typeof SubscriptionFailure>

/** How a calendar follows one that is kept elsewhere. */
export const Subscription = z.strictObject({
  /** Where it is kept; the whole address may hold a secret. */
  host: z.string(),
  /** When it was last read; null: not yet. */
  refreshedAt: Time.nullable(),
  nextRefreshAt: Time,
  /** Why the last try failed; null: it did not. */
  failure: SubscriptionFailure.nullable(),
})
export type Subscription = z.infer<typeof Subscription>

export const Calendar = z.strictObject({
  id: Id,
  name: z.string(),
  /** The caller’s own choice: each reader of a shared calendar has another. null: none was made. */
  color: Color.nullable(),
  createdAt: Time,
  updatedAt: Time,
  /** Whose it is and what the caller may, where it is somebody else’s; null for the caller’s own. */
  shared: z.strictObject({ ownerName: z.string(), right: Right }).nullable(),
  /** It follows an address, and nothing in it can be changed here; null: it is kept here. */
  subscription: Subscription.nullable(),
})
export type Calendar = z.infer<typeof Calendar>

/** What a feed tells: all of each event, or only that there is one. */
export const FeedContent = z.enum(['all', 'busy'])
export type FeedContent = z.infer<typeof FeedContent>

/** A calendar at an address that other programs read without signing in. */
export const Feed = z.strictObject({
  content: FeedContent,
  createdAt: Time,
  /** To the hour; null: nobody has read it yet. */
  lastReadAt: Time.nullable(),
})
export type Feed = z.infer<typeof Feed>

export const mostGuests = 100

/** What a guest answered; `waiting`: nothing yet. */
export const GuestAnswer = z.enum(['waiting', 'yes', 'no', 'maybe'])
export type GuestAnswer = z.infer<typeof GuestAnswer>

/** Somebody of the instance who is invited; of an occurrence, with the answer to it. */
export const Guest = z.strictObject({ id: Id, name: z.string(), answer: GuestAnswer })
export type Guest = z.infer<typeof Guest>

/** Somebody who is invited according to the file that an event came from: no account, and nobody here is told anything. */
export const FileGuest = z.strictObject({ name: z.string(), answer: GuestAnswer })
export type FileGuest = z.infer<typeof FileGuest>

export const EventStatus = z.enum(['confirmed', 'tentative', 'cancelled'])
export type EventStatus = z.infer<typeof EventStatus>

/**
 * An event, or one occurrence of one that repeats. Its truth is `startLocal`, `endLocal` and `timeZone`, or, where it lasts
 * all day, `startDate` and `endDate`. Of an occurrence these are its own times.
 */
export const CalendarEvent = z.strictObject({
  /** Of an occurrence: `<baseEventId>:<milliseconds of its occurrence>`. */
  id: Id,
  /** null: in none of the owner’s calendars. */
  calendarId: Id.nullable(),
  title: z.string(),
  notes: z.string(),
  place: z.string(),
  link: z.string(),
  /** The caller’s own choice for this event, else that of the event; null: that of its calendar. */
  color: Color.nullable(),
  status: EventStatus,
  allDay: z.boolean(),
  startLocal: LocalTime.nullable(),
  endLocal: LocalTime.nullable(),
  /** null: floating, the same wall-clock time wherever one is. */
  timeZone: TimeZone.nullable(),
  startDate: Day.nullable(),
  /** The day after the last one. */
  endDate: Day.nullable(),
  /** The instants; where it floats or lasts all day, in the zone that was asked for. */
  startAt: Time,
  endAt: Time,
  recurrence: Recurrence.nullable(),
  /** How many minutes before each start the caller is reminded; each reader’s own. */
  reminders: z.array(ReminderMinutes),
  /** Goes up with every change of the event; of a series it is one number for all of it. */
  version: z.number().int(),
  /** The event that this is an occurrence of; null of one that does not repeat. */
  baseEventId: Id.nullable(),
  /** Which occurrence: when it begins, or began before it was moved. It stands for it in `?occurrence=`. */
  occurrence: Time.nullable(),
  /** Whether this occurrence was changed on its own. */
  changed: z.boolean(),
  createdAt: Time,
  updatedAt: Time,
  /** Whose it is and what the caller may, where it is somebody else’s; a guest may read it. */
  shared: Calendar.shape.shared,
  guests: z.array(Guest),
  /** Who else is invited, in an event that came from a file; at most 100. Of an occurrence, with the answer to it. */
  fileGuests: z.array(FileGuest),
  /** Who invites, in an event that came from a file; null: nobody is named. */
  organizer: z.string().nullable(),
  /** The caller’s answer, where it is a guest; null where it is none. */
  answer: GuestAnswer.nullable(),
  /** Its calendar follows an address: only reminders can be changed. */
  subscribed: z.boolean(),
})
export type CalendarEvent = z.infer<typeof CalendarEvent>

/** What a person writes about an event. `startAt` and `endAt` may stand for local times; they are in `timeZone`, or UTC. */
export const EventContent = z.strictObject({
  title: z.string().trim().min(1).max(mostTitleLetters),
  notes: z.string().max(mostNotesLetters).optional(),
  place: z.string().trim().max(mostPlaceLetters).optional(),
  /** `http`, `https` or `mailto`; empty for none. */
  link: z
    .string()
    .trim()
    .max(mostLinkLetters)
    .regex(/^(?:(?:https?|mailto):\S+)?$/i, 'write an address that begins with https://')
    .optional(),
  color: Color.nullable().optional(),
  status: EventStatus.optional(),
  calendarId: Id.nullable().optional(),
  allDay: z.boolean().optional(),
  startLocal: LocalTime.optional(),
  endLocal: LocalTime.nullable().optional(),
  timeZone: TimeZone.nullable().optional(),
  startDate: Day.optional(),
  endDate: Day.nullable().optional(),
  startAt: z.iso.datetime({ offset: true }).optional(),
  endAt: z.iso.datetime({ offset: true }).nullable().optional(),
  recurrence: Recurrence.nullable().optional(),
  reminders: z.array(ReminderMinutes).max(mostReminders).optional(),
  /** The accounts that are invited, to all of a series; its owner is none of them. */
  guests: z.array(Id).max(mostGuests).optional(),
})
export type EventContent = z.infer<typeof EventContent>

/** What became of the entries of a file. */
export const ImportReport = z.strictObject({
  /** New events. */
  imported: z.number().int(),
  /** Own events with the same UID, which are now as the file says. */
  updated: z.number().int(),
  /** Entries that were left out, each with its title and the reason; at most 200 of them are told. */
  skipped: z.array(
    z.strictObject({
      title: z.string(),
      reason: z.enum(['no_start', 'bad_time', 'bad_rule', 'too_long', 'not_an_event', 'no_series', 'duplicate']),
    }),
  ),
  skippedCount: z.number().int(),
  /** Names of zones that are unknown, whose times were taken by the rules in the file or as floating. */
  unknownZones: z.array(z.string()),
})
export type ImportReport = z.infer<typeof ImportReport>

/** Events and calendars as a caller sees them. */
import type { Calendar, CalendarEvent } from '@atrium/contract/calendar'

import type { CalendarContext } from './context.ts'
import { guestsInFile } from './guests/attendees.ts'
import { type Occurrence, placeTiming } from './series/occurrences.ts'
import { type StoredCalendar, toCalendar } from './stores/calendars.ts'
import type { StoredEvent } from './stores/events.ts'
import { answerOf, type StoredGuest } from './stores/guests.ts'
import type { StoredSubscription } from './stores/subscriptions.ts'
import { toIsoTime } from '../../platform/iso-time.ts'

/** The calendars that a caller sees now, and what it may do with those of others. */
export interface VisibleCalendars {
  readonly own: ReadonlyMap<string, StoredCalendar>
  readonly shared: ReadonlyMap<string, NonNullable<Calendar['shared']>>
  readonly subscribed: ReadonlyMap<string, StoredSubscription>
}

export const seeCalendars = async (context: CalendarContext, accountId: string): Promise<VisibleCalendars> => {
  const [own, reachable] = await Promise.all([
    context.calendars.ofAccount(accountId),
    context.access.listReachable(accountId, 'calendar'),
  ])
  const names = await context.namesOf([...new Set(reachable.map(({ ownerId }) => ownerId))])
  const ids = [...own.map(({ id }) => id), ...reachable.map(({ resourceId }) => resourceId)]
  return {
    own: new Map(own.map((calendar) => [calendar.id, calendar])),
    shared: new Map(
      reachable.map(({ resourceId, ownerId, right }) => [resourceId, { ownerName: names.get(ownerId) ?? '', right }]),
    ),
    subscribed: await context.subscriptions.ofCalendars(ids),
  }
}

/** All that a caller sees: own ones by name, then those of others. */
export const listCalendars = async (context: CalendarContext, accountId: string): Promise<Calendar[]> => {
  const { own, shared, subscribed } = await seeCalendars(context, accountId)
  const others = await context.calendars.readMany([...shared.keys()])
  const colors = await context.calendars.colorsOf(accountId)
  return [...[...own.values()].toSorted(byName), ...others.toSorted(byName)].map((calendar) =>
    toCalendar(
      calendar,
      colors.get(calendar.id) ?? null,
      shared.get(calendar.id) ?? null,
      toSubscription(subscribed.get(calendar.id)),
    ),
  )
}
const toSubscription = (found: StoredSubscription | undefined): Calendar['subscription'] =>
  found
    ? {
        host: new URL(found.url).host,
        refreshedAt: found.refreshedAt === null ? null : toIsoTime(found.refreshedAt),
        nextRefreshAt: toIsoTime(found.nextAt),
        failure: found.failure,
      }
    : null
const byName = (one: StoredCalendar, other: StoredCalendar): number => one.name.localeCompare(other.name)

/** What of an answer is the caller's. */
export interface Viewer {
  readonly accountId: string
  /** Where floating times are taken to be. */
  readonly zone: string
  readonly seen: VisibleCalendars
  readonly reminders: ReadonlyMap<string, readonly number[]>
  /** The colours that the caller gave events for itself. */
  readonly colors: ReadonlyMap<string, string>
  readonly guests: ReadonlyMap<string, readonly StoredGuest[]>
  /** What guests, and owners of events that the caller is a guest of, are called. */
  readonly names: ReadonlyMap<string, string>
}

/** What a caller sees of these events. `zone`: where floating times are taken to be. */
export const viewerOf = async (
  context: CalendarContext,
  { accountId, zone = 'UTC' }: { readonly accountId: string; readonly zone?: string | undefined },
  shown: readonly StoredEvent[],
): Promise<Viewer> => {
  const ids = shown.map(({ id }) => id)
  const [seen, reminders, colors, guests] = await Promise.all([
    seeCalendars(context, accountId),
    context.reminders.of(accountId, ids),
    context.eventColors.of(accountId, ids),
    context.guests.ofEvents(ids),
  ])
  const people = new Set([...guests.values()].flat().map((guest) => guest.accountId))
  for (const event of shown) if (guests.has(event.id)) people.add(event.accountId)
  const names = people.size === 0 ? new Map<string, string>() : await context.namesOf([...people])
  return { accountId, zone, seen, reminders, colors, guests, names }
}

/** One event, or one occurrence of it. */
export const presentEvent = async (
  context: CalendarContext,
  event: StoredEvent,
  occurrence: Occurrence | null,
  caller: { readonly accountId: string; readonly zone?: string | undefined },
): Promise<CalendarEvent> => toEvent(event, occurrence, await viewerOf(context, caller, [event]))

/** `occurrence` null: the event itself, as it is kept. */
export const toEvent = (event: StoredEvent, occurrence: Occurrence | null, viewer: Viewer): CalendarEvent => {
  const { content } = event
  const { accountId, zone, seen, reminders, colors, names } = viewer
  const invited = viewer.guests.get(event.id) ?? []
  const guest = invited.find((one) => one.accountId === accountId) ?? null
  const words = { ...content, ...occurrence?.change }
  const timing = { ...content, start: occurrence?.start ?? content.start, end: occurrence?.end ?? content.end }
  const { startAt, endAt } = placeTiming(timing, zone)
  const inFile = guestsInFile(words.extra)
  const repeats = content.recurrence !== null && occurrence !== null
  const of = repeats ? occurrence.of : null
  const sharing = event.accountId === accountId ? null : (seen.shared.get(event.calendarId ?? '') ?? null)
  const inCalendar =
    event.calendarId !== null &&
    (event.accountId === accountId ? seen.own.has(event.calendarId) : sharing !== null || guest === null)
  return {
    id: repeats ? `${event.id}:${occurrence.of}` : event.id,
    // One that lies in the trash is none for the events in it.
    calendarId: inCalendar ? event.calendarId : null,
    title: words.title,
    notes: words.notes,
    place: words.place,
    link: words.link,
    color: colors.get(event.id) ?? words.color,
    status: words.status,
    allDay: content.allDay,
    startLocal: content.allDay ? null : timing.start,
    endLocal: content.allDay ? null : timing.end,
    timeZone: content.timeZone,
    startDate: content.allDay ? timing.start : null,
    endDate: content.allDay ? timing.end : null,
    startAt: toIsoTime(startAt),
    endAt: toIsoTime(endAt),
    recurrence: content.recurrence,
    reminders: [...(reminders.get(event.id) ?? [])],
    version: event.version,
    baseEventId: repeats ? event.id : null,
    occurrence: repeats ? toIsoTime(occurrence.of) : null,
    changed: occurrence?.change != null,
    createdAt: toIsoTime(event.createdAt),
    updatedAt: toIsoTime(event.updatedAt),
    shared: sharing ?? (guest && { ownerName: names.get(event.accountId) ?? '', right: 'read' }),
    guests: invited.map((one) => ({
      id: one.accountId,
      name: names.get(one.accountId) ?? '',
      answer: answerOf(one, of),
    })),
    fileGuests: inFile.guests,
    organizer: inFile.organizer,
    answer: guest && answerOf(guest, of),
    subscribed: seen.subscribed.has(event.calendarId ?? ''),
  }
}

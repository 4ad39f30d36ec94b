/** Calendars as files of iCalendar: one that is asked for, and all that an account takes along. */
import type { ExportFiles } from '../../../core/resources/index.ts'
import { safeName } from '../../../platform/archive/write.ts'
import type { CalendarContext } from '../context.ts'
import type { StoredEvent } from '../stores/events.ts'
import type { Attendance } from '../guests/attendees.ts'

const atOnce = 200

/** Which events a file has, and for whom. */
export interface ExportedEvents {
  readonly where: { readonly accountId: string } | { readonly calendarId: string } | { readonly guestId: string }
  /** Of those, the ones that count. */
  readonly has?: (event: StoredEvent) => boolean
  /** What is told of each; by default all. */
  readonly tell?: (event: StoredEvent) => StoredEvent
  readonly name: string | null
  /** Whose reminders are in it; null: nobody's. */
  readonly readerId: string | null
  /** Whether it says who is invited. */
  readonly guests: boolean
}

/** A whole file, in pieces. */
export async function* writeCalendar(
  context: Pick<CalendarContext, 'events' | 'guests' | 'namesOf' | 'reminders'>,
  { where, has = () => true, tell = (event) => event, name, readerId, guests }: ExportedEvents,
): AsyncIterable<Uint8Array> {
  const { events, reminders: kept } = context
  const { calendarEnd, calendarHead, eventComponents, zoneComponent } = await import('./write.ts')
  const encoder = new TextEncoder()
  const zones = new Set<string>()
  yield encoder.encode(calendarHead(name))
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await events.page(where, atOnce, cursor)
    const items = page.items.filter(has).map(tell)
    const reminders =
      readerId === null
        ? new Map<string, readonly number[]>()
        : await kept.of(
            readerId,
            items.map(({ id }) => id),
          )
    const attendance = guests ? await attendanceOf(context, items) : null
    const pieces: string[] = []
    for (const event of items) {
      const { timeZone } = event.content
      if (timeZone !== null && !zones.has(timeZone)) pieces.push(zoneComponent(timeZone) ?? '')
      if (timeZone !== null) zones.add(timeZone)
      pieces.push(eventComponents(event, reminders.get(event.id) ?? [], attendance && attendance(event)))
    }
    yield encoder.encode(pieces.join(''))
    cursor = page.nextCursor
  }
  yield encoder.encode(calendarEnd)
}

/** Who is invited to each of these events. */
const attendanceOf = async (
  { guests, namesOf }: Pick<CalendarContext, 'guests' | 'namesOf'>,
  items: readonly StoredEvent[],
): Promise<(event: StoredEvent) => Attendance> => {
  const invited = await guests.ofEvents(items.map(({ id }) => id))
  const people = new Set([...invited.values()].flat().map(({ accountId }) => accountId))
  for (const { id, accountId } of items) if (invited.has(id)) people.add(accountId)
  const names = people.size === 0 ? new Map<string, string>() : await namesOf([...people])
  return ({ id, accountId }) => ({ ownerId: accountId, guests: invited.get(id) ?? [], names })
}

/**
 * A file for each own calendar, one for the events in none, and one for those of others that the account is invited to.
 * What is in the trash stays there.
 */
export const exportCalendars = (context: CalendarContext): ExportFiles =>
  async function* (accountId, signal) {
    const modifiedAt = context.clock.now()
    const own = await context.calendars.ofAccount(accountId)
    const ids = new Set(own.map(({ id }) => id))
    for (const { id, name } of own) {
      signal.throwIfAborted()
      const content = writeCalendar(context, { where: { calendarId: id }, name, readerId: accountId, guests: true })
      yield { name: safeName(name, `calendars/${id.slice(-8)}`, '.ics'), modifiedAt, pack: true, content }
    }
    signal.throwIfAborted()
    const content = writeCalendar(context, {
      where: { accountId },
      has: ({ calendarId }) => calendarId === null || !ids.has(calendarId),
      name: null,
      readerId: accountId,
      guests: true,
    })
    yield { name: 'calendars/events.ics', modifiedAt, pack: true, content }
    signal.throwIfAborted()
    if (!(await context.guests.isInvited(accountId))) return
    const invitations = writeCalendar(context, {
      where: { guestId: accountId },
      name: null,
      readerId: accountId,
      guests: true,
    })
    yield { name: 'calendars/invitations.ics', modifiedAt, pack: true, content: invitations }
  }

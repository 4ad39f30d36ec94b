/** Calendars as files of iCalendar: one that is asked for, and all that an account takes along. */
import type { ExportFiles } from '../../../core/resources/index.ts'
import { safeName } from '../../../platform/archive/write.ts'
import type { CalendarContext } from '../context.ts'
import type { StoredEvent } from '../stores/events.ts'
import { calendarEnd, calendarHead, eventComponents, zoneComponent } from './write.ts'

const atOnce = 200

/** Which events a file has, and for whom. */
export interface ExportedEvents {
  readonly where: { readonly accountId: string } | { readonly calendarId: string }
  /** Of those, the ones that count. */
  readonly has?: (event: StoredEvent) => boolean
  /** What is told of each; by default all. */
  readonly tell?: (event: StoredEvent) => StoredEvent
  readonly name: string | null
  /** Whose reminders are in it; null: nobody's. */
  readonly readerId: string | null
}

/** A whole file, in pieces. */
export async function* writeCalendar(
  { events, reminders: kept }: Pick<CalendarContext, 'events' | 'reminders'>,
  { where, has = () => true, tell = (event) => event, name, readerId }: ExportedEvents,
): AsyncIterable<Uint8Array> {
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
    const pieces: string[] = []
    for (const event of items) {
      const { timeZone } = event.content
      if (timeZone !== null && !zones.has(timeZone)) pieces.push(zoneComponent(timeZone) ?? '')
      if (timeZone !== null) zones.add(timeZone)
      pieces.push(eventComponents(event, reminders.get(event.id) ?? []))
    }
    yield encoder.encode(pieces.join(''))
    cursor = page.nextCursor
  }
  yield encoder.encode(calendarEnd)
}

/** A file for each own calendar, and one for the events in none. What is in the trash stays there. */
export const exportCalendars = (context: CalendarContext): ExportFiles =>
  async function* (accountId, signal) {
    const modifiedAt = context.clock.now()
    const own = await context.calendars.ofAccount(accountId)
    const ids = new Set(own.map(({ id }) => id))
    for (const { id, name } of own) {
      signal.throwIfAborted()
      const content = writeCalendar(context, { where: { calendarId: id }, name, readerId: accountId })
      yield { name: safeName(name, `calendars/${id.slice(-8)}`, '.ics'), modifiedAt, pack: true, content }
    }
    signal.throwIfAborted()
    const content = writeCalendar(context, {
      where: { accountId },
      has: ({ calendarId }) => calendarId === null || !ids.has(calendarId),
      name: null,
      readerId: accountId,
    })
    yield { name: 'calendars/events.ics', modifiedAt, pack: true, content }
  }

/** What can be done with events and calendars. Everything here throws `Problem` but what says otherwise. */
import {
  type Calendar,
  type CalendarEvent,
  type EventContent,
  type Scope,
  calendarRoutes,
} from '@atrium/contract/calendar'
import { trashRoutes } from '@atrium/contract/trash'
import { call } from '../../../api/client.ts'
import { codeOf, wordsOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { saveFile } from '../../../blocks/save-file.ts'
import { titleToFileName } from '../../../lib/file-name.ts'
import { toast } from '../../../ui/toaster.tsx'
import { refreshCalendar } from './events.ts'
import { translate } from 'virtual:words/calendar'

/** The event that is kept: of an occurrence, its series. */
export const baseOf = ({ id, baseEventId }: Pick<CalendarEvent, 'id' | 'baseEventId'>): string => baseEventId ?? id

/** As it stands now. */
export const readEvent = (event: Pick<CalendarEvent, 'id' | 'baseEventId'>): Promise<CalendarEvent> =>
  call(calendarRoutes.readEvent, { params: { eventId: baseOf(event) }, query: {} })

export async function createEvent(body: EventContent): Promise<CalendarEvent> {
  const event = await call(calendarRoutes.createEvent, { body })
  await refreshCalendar()
  return event
}

/** Changes what is given; `version` is what the one who changes it has seen, none where that does not matter. */
export async function changeEvent(
  event: CalendarEvent,
  changes: Partial<EventContent>,
  scope: Scope | null,
  version?: number,
): Promise<void> {
  await call(calendarRoutes.updateEvent, {
    params: { eventId: baseOf(event) },
    query: whichOf(event, scope),
    body: Object.assign(version === undefined ? {} : { version }, changes),
  })
  await refreshCalendar()
}

/** Deletes an event or a part of its series, with ten seconds to take that back. */
export async function deleteEvent(event: CalendarEvent, scope: Scope | null, version: number): Promise<void> {
  const isWhole = scope === null || scope === 'all'
  const before = isWhole ? null : await readPart(event, scope)
  await call(calendarRoutes.removeEvent, {
    params: { eventId: baseOf(event) },
    query: Object.assign({ version }, isWhole ? {} : whichOf(event, scope)),
  })
  const undo = () => (before ? restorePart(before) : restore(baseOf(event)))
  toast(translate(isWhole ? 'calendar:deleted' : 'calendar:deletedPart', { title: event.title }), {
    action: { label: translate('calendar:undo'), onClick: () => void tryChange(undo) },
  })
  await Promise.all([refreshCalendar(), refresh(trashRoutes.list)])
}

const restore = (id: string) => call(trashRoutes.restore, { params: { id } })

/** What is deleted of a series: the series before that, and the occurrences that were changed on their own. */
interface Part {
  readonly series: CalendarEvent
  readonly changed: readonly CalendarEvent[]
}

async function readPart(event: CalendarEvent, scope: Scope): Promise<Part> {
  const series = await readEvent(event)
  if (scope === 'this') return { series, changed: event.changed ? [event] : [] }
  const from = event.startAt < (event.occurrence ?? '') ? event.startAt : (event.occurrence ?? event.startAt)
  const to = new Date(Date.parse(from) + yearMs).toISOString()
  const { items } = await call(calendarRoutes.events, { query: { from, to } })
  return { series, changed: items.filter((each) => each.changed && each.baseEventId === series.id) }
}

/** Puts occurrences back that were taken out of a series. */
async function restorePart({ series, changed }: Part): Promise<void> {
  const { id, recurrence } = series
  try {
    await call(calendarRoutes.updateEvent, { params: { eventId: id }, query: {}, body: { recurrence } })
  } catch (error) {
    // From the first one on, that was all of it.
    if (codeOf(error) !== 'event_not_found') throw error
    await restore(id)
    return
  }
  for (const event of changed) {
    const { title, notes, place, link, color, status, allDay, startLocal, endLocal, startDate, endDate } = event
    const times = allDay ? { startDate, endDate } : { startLocal, endLocal }
    await call(calendarRoutes.updateEvent, {
      params: { eventId: id },
      query: whichOf(event, 'this'),
      body: Object.assign({ title, notes, place, link, color, status }, times) as Partial<EventContent>,
    })
  }
}

const yearMs = 365 * 86_400_000

const whichOf = ({ occurrence, baseEventId }: CalendarEvent, scope: Scope | null) =>
  baseEventId !== null && occurrence !== null && scope !== null ? { occurrence, scope } : {}

export async function createCalendar(name: string, color: string | null): Promise<void> {
  await call(calendarRoutes.createCalendar, { body: { name, color } })
  await refreshCalendar()
}

/** Another name, or another colour: that is each reader’s own. */
export async function updateCalendar({ id }: Calendar, body: { name?: string; color?: string | null }): Promise<void> {
  await call(calendarRoutes.updateCalendar, { params: { calendarId: id }, body })
  await refreshCalendar()
}

/** Its events stay, in none; restored, it has them again. Tells by itself what went wrong. */
export function deleteCalendar({ id, name }: Calendar): Promise<void> {
  const undo = () => tryChange(() => call(trashRoutes.restore, { params: { id } }))
  return tryChange(async () => {
    await call(calendarRoutes.removeCalendar, { params: { calendarId: id } })
    toast(translate('calendar:calendarDeleted', { name }), {
      action: { label: translate('calendar:undo'), onClick: () => void undo() },
    })
  })
}

/** Has a calendar that is kept elsewhere read now. Tells by itself how that went. */
export function refreshSubscription({ id, name }: Calendar): Promise<void> {
  return tryChange(async () => {
    const { subscription } = await call(calendarRoutes.refreshSubscription, { params: { calendarId: id } })
    const failure = subscription?.failure ?? null
    if (failure === null) toast(translate('calendar:subscription.refreshedNow', { name }))
    else toast(translate(`calendar:subscription.failure.${failure}`), { tone: 'danger' })
  })
}

/** Hands over the own events, or those of one calendar, as a file. Tells by itself what went wrong. */
export function exportCalendar(calendar: Calendar | null): Promise<void> {
  return tryChange(async () => {
    const file = await call(calendarRoutes.exportCalendar, { query: calendar ? { calendarId: calendar.id } : {} })
    const name = titleToFileName(calendar?.name ?? translate('calendar:title'), translate('calendar:title'))
    saveFile(`${name}.ics`, file, 'text/calendar')
  })
}

export const isConflict = (error: unknown): boolean => codeOf(error) === 'conflict'

/** Does something, tells why where that failed, and reads the calendar again. */
export async function tryChange(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    toast(wordsOf(error), { tone: 'danger' })
  }
  await Promise.all([refreshCalendar(), refresh(trashRoutes.list)])
}

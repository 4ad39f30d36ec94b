/** Events: listed by range, made, changed and deleted; of a series one occurrence, all later ones, or all. */
import { type calendarRoutes, mostEvents } from '@atrium/contract/calendar'
import type { AnyTransaction } from '../../platform/db/types.ts'
import type { Caller, Handlers } from '../../platform/http/area.ts'
import { conflictWith, fail } from '../../platform/http/refusal.ts'
import { dayMs } from '../../platform/time/index.ts'
import { type CalendarContext, announceChange } from './context.ts'
import { mostContentBytes, type EventContent } from './content.ts'
import { changeGuests } from './guests/change.ts'
import { prepareGuestNotices } from './guests/invite.ts'
import { makeEvent } from './make-event.ts'
import { presentEvent, toEvent, viewerOf } from './present.ts'
import { readEvent } from './read-event.ts'
import { changeAll, changeOne, cutBefore, type EventPatch, removeOne, restFrom } from './series/edits.ts'
import { findOccurrence, occurrencesIn, type Occurrence } from './series/occurrences.ts'
import { zoneOrRefusal } from './series/times.ts'
import type { Reach, StoredEvent } from './stores/events.ts'

type Routes = Pick<typeof calendarRoutes, 'events' | 'createEvent' | 'readEvent' | 'updateEvent' | 'removeEvent'>

const widestMs = 13 * 31 * dayMs
const mostListed = 5000
/** So often a change is tried again that somebody else was quicker with. */
const mostTries = 5

export const eventHandlers = (context: CalendarContext): Handlers<Routes> => {
  const { access, clock, events, guests, subscriptions } = context

  const present = (event: StoredEvent, occurrence: Occurrence | null, { accountId }: Caller, zone?: string) =>
    presentEvent(context, event, occurrence, { accountId, zone })
  const read = (id: string) => readEvent(context, id)

  /** What follows an address is changed there. */
  const requireOwnWords = async (calendarId: string | null): Promise<void> => {
    if (await subscriptions.has(calendarId)) throw fail('calendar_subscribed')
  }
  /** Whose a calendar is that the caller may change. */
  const ownerOf = async (caller: Caller, calendarId: string): Promise<string> => {
    const { ownerId } = await access.authorise(
      caller,
      { resource: 'calendar', id: 'calendarId', right: 'write' },
      calendarId,
    )
    const [calendar] = await context.calendars.readMany([calendarId])
    if (!calendar) throw fail('calendar_not_found')
    await requireOwnWords(calendarId)
    return ownerId
  }
  const isSized = (content: EventContent): EventContent => {
    if (JSON.stringify(content).length > mostContentBytes) throw fail('occurrence_limit')
    return content
  }

  return {
    async events({ query: { from, to, timeZone, calendarId } }, { caller }) {
      const zone = timeZone === undefined ? 'UTC' : zoneOrRefusal(timeZone)
      const [begin, end] = [Date.parse(from), Date.parse(to)]
      if (!(end > begin) || end - begin > widestMs) throw fail('range_invalid')
      const reach = await reachOf(context, caller, calendarId)
      const { accountId } = caller
      const [within, invited] = await Promise.all([
        events.inRange(reach, begin, end, mostListed + 1),
        // Whoever is invited sees the event among its own.
        calendarId === undefined ? events.ofGuest(accountId, begin, end, mostListed) : [],
      ])
      const known = new Set(within.map(({ id }) => id))
      const found = [...within, ...invited.filter(({ id }) => !known.has(id))]
      const viewer = await viewerOf(context, { accountId, zone }, found)
      const items = found
        .flatMap((event) => occurrencesIn(event.content, begin, end, zone).map((one) => ({ event, one })))
        .toSorted((a, b) => a.one.startAt - b.one.startAt || a.event.createdAt - b.event.createdAt)
      return {
        items: items.slice(0, mostListed).map(({ event, one }) => toEvent(event, one, viewer)),
        nextCursor: null,
        truncated: items.length > mostListed || found.length > mostListed,
      }
    },

    async createEvent({ body }, { caller }) {
      const { calendarId = null } = body
      const accountId = calendarId === null ? caller.accountId : await ownerOf(caller, calendarId)
      const made = { id: clock.id(), accountId, makerId: caller.accountId, given: body, fromChat: null }
      return present(await makeEvent(context, made), null, caller)
    },

    async readEvent({ query: { timeZone } }, { resource, caller }) {
      const zone = timeZone === undefined ? 'UTC' : zoneOrRefusal(timeZone)
      return present(await read(resource.id), null, caller, zone)
    },

    async updateEvent(
      { query, body: { calendarId, guests: named, reminders, version, ...given } },
      { resource, caller },
    ) {
      const moved = calendarId === undefined ? undefined : await movedTo(context, caller, resource, calendarId, ownerOf)
      for (let tries = 0; tries < mostTries; tries += 1) {
        const before = await read(resource.id)
        if (version !== undefined && version !== before.version) throw conflictWith(await present(before, null, caller))
        if (await subscriptions.has(before.calendarId)) {
          // Reminders are each reader's own.
          if (reminders === undefined || calendarId !== undefined || named || Object.keys(given).length > 0)
            throw fail('calendar_subscribed')
          await context.reminders.set(caller.accountId, [before.id], reminders)
          await announceChange(context, before.accountId, [before.calendarId])
          return present(before, null, caller)
        }
        const { after, added, of } = changeOf(before, given, query)
        const rest = added && { ...added, id: clock.id() }
        const times = { version: before.version + 1, updatedAt: clock.now() }
        const changed: StoredEvent = {
          ...before,
          ...times,
          content: isSized(after),
          calendarId: moved === undefined || rest ? before.calendarId : moved,
        }
        const split: StoredEvent[] = rest
          ? [
              {
                ...changed,
                id: rest.id,
                content: isSized({ ...rest.content, uid: `${rest.id}@atrium` }),
                calendarId: moved === undefined ? before.calendarId : moved,
                version: 1,
                createdAt: times.updatedAt,
              },
            ]
          : []
        const work = await changeGuests(context, {
          caller,
          before,
          changed,
          split: split[0] ?? null,
          from: query.occurrence === undefined ? 0 : Date.parse(query.occurrence),
          of,
          named,
        })
        const outcome = await events.replace(before, changed, split, mostEvents, work.write, work.invited)
        if (outcome === 'full') throw fail('event_limit')
        if (outcome === 'changed') continue
        const [last = changed] = split
        if (split.length > 0 && reminders === undefined) await copyReminders(context, before.id, last.id)
        if (reminders !== undefined) await context.reminders.set(caller.accountId, [last.id], reminders)
        await work.tell()
        await announceChange(context, before.accountId, [before.calendarId, last.calendarId], [before.id, last.id])
        return present(last, of === null ? null : findOccurrence(last.content, of, 'UTC'), caller)
      }
      throw conflictWith(await present(await read(resource.id), null, caller))
    },

    async removeEvent({ query: { version, ...query } }, { resource, caller }) {
      for (let tries = 0; tries < mostTries; tries += 1) {
        const before = await read(resource.id)
        if (version !== undefined && version !== before.version) throw conflictWith(await present(before, null, caller))
        await requireOwnWords(before.calendarId)
        const { of, scope } = whichOf(before, query)
        const left =
          of === null || scope === 'all'
            ? null
            : scope === 'this'
              ? removeOne(before.content, of)
              : cutBefore(before.content, of)
        const after: StoredEvent = {
          ...before,
          content: left ?? before.content,
          version: before.version + 1,
          updatedAt: clock.now(),
          deletedAt: left === null ? clock.now() : null,
        }
        const invited = (await guests.ofEvent(before.id)).map(({ accountId }) => accountId)
        const change = left === null ? 'cancelled' : 'changed'
        const notices = await prepareGuestNotices(context, caller.accountId, [
          { event: after, guests: invited, change },
        ])
        if ((await events.replace(before, after, [], Infinity, notices.publish)) !== 'done') continue
        await notices.tell()
        if (left === null) await withdrawReminders(context, before.id)
        await announceChange(context, before.accountId, [before.calendarId], [before.id])
        return {}
      }
      throw conflictWith(await present(await read(resource.id), null, caller))
    },
  }
}

interface Which {
  readonly occurrence?: string | undefined
  readonly scope?: 'this' | 'following' | 'all' | undefined
}

/** Which occurrence is meant; of what does not repeat, there is one. */
const whichOf = ({ content }: StoredEvent, { occurrence, scope }: Which) => {
  if (content.recurrence === null) return { of: null, scope: 'all' as const }
  const of = occurrence === undefined ? null : Date.parse(occurrence)
  if (of === null && scope !== undefined && scope !== 'all') throw fail('occurrence_not_found')
  return { of, scope: scope ?? (of === null ? ('all' as const) : ('this' as const)) }
}

/** What becomes of an event, and what is split off it. `of`: the occurrence to be shown. */
const changeOf = (
  before: StoredEvent,
  given: EventPatch,
  query: Which,
): { after: EventContent; added: { content: EventContent } | null; of: number | null } => {
  const { of, scope } = whichOf(before, query)
  if (of === null || scope === 'all') return { after: changeAll(before.content, given, of), added: null, of: null }
  if (scope === 'this') return { after: changeOne(before.content, given, of), added: null, of }
  const after = cutBefore(before.content, of)
  if (after === null) return { after: changeAll(before.content, given, of), added: null, of: null }
  const rest = restFrom(before.content, of, before.content.uid)
  return { after, added: { content: changeAll(rest, given, null) }, of: null }
}

/** An event stays with its owner: it goes to another of the owner’s calendars, or to none. */
const movedTo = async (
  context: CalendarContext,
  caller: Caller,
  { ownerId }: { readonly ownerId: string },
  calendarId: string | null,
  ownerOf: (caller: Caller, calendarId: string) => Promise<string>,
): Promise<string | null> => {
  // In none only its owner would see it.
  if (calendarId === null) {
    if (ownerId !== caller.accountId) throw fail('right_missing')
    return null
  }
  if ((await ownerOf(caller, calendarId)) !== ownerId) throw fail('calendar_not_found')
  return calendarId
}

/** Who was reminded of the whole series is reminded of its rest. */
const copyReminders = async ({ reminders }: CalendarContext, from: string, to: string): Promise<void> => {
  for (const [accountId, minutes] of await reminders.on(from)) await reminders.set(accountId, [to], minutes)
}

/** Nobody is to open what is not there any more. */
const withdrawReminders = async ({ database, notifications }: CalendarContext, eventId: string): Promise<void> => {
  const publisher = await notifications.publisher([])
  await database.write((trx: AnyTransaction) => publisher.withdraw(trx, { about: [`calendar-event:${eventId}`] }))
  await publisher.tell()
}

/** All that a caller sees, or one calendar of it. */
export const reachOf = async (
  { access, calendars }: CalendarContext,
  caller: Caller,
  calendarId: string | undefined,
): Promise<Reach> => {
  if (calendarId !== undefined) {
    await access.authorise(caller, { resource: 'calendar', id: 'calendarId', right: 'read' }, calendarId)
    if ((await calendars.readMany([calendarId])).length === 0) throw fail('calendar_not_found')
    return { accountId: null, calendarIds: [calendarId] }
  }
  const reachable = await access.listReachable(caller.accountId, 'calendar')
  return { accountId: caller.accountId, calendarIds: reachable.map(({ resourceId }) => resourceId) }
}

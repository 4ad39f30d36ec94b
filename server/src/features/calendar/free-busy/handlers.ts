/** Looks for time with others: tells of each whether busy or free, and never with what. */
import type { calendarRoutes } from '@atrium/contract/calendar'
import type { Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { toIsoTime } from '../../../platform/iso-time.ts'
import { dayMs } from '../../../platform/time/index.ts'
import type { CalendarContext } from '../context.ts'
import { occurrencesIn } from '../series/occurrences.ts'
import { zoneOrRefusal } from '../series/times.ts'
import type { StoredEvent } from '../stores/events.ts'
import { answerOf, type StoredGuest } from '../stores/guests.ts'
import { type Span, findFree, mergeSpans } from './spans.ts'

type Routes = Pick<typeof calendarRoutes, 'freeBusy'>

const widestMs = 62 * dayMs
const mostRead = 5000
const mostFree = 20

export const freeBusyHandlers = (context: CalendarContext): Handlers<Routes> => ({
  async freeBusy({ query }, { caller }) {
    const { accounts, from, to, timeZone, minutes, fromHour, toHour, except } = query
    const zone = zoneOrRefusal(timeZone)
    const range = { from: Date.parse(from), to: Date.parse(to) }
    if (!(range.to > range.from) || range.to - range.from > widestMs || toHour <= fromHour) throw fail('range_invalid')
    const ids = [...new Set([caller.accountId, ...accounts])]
    const names = await context.namesOf(ids)
    const people: { accountId: string; spans: Span[] }[] = []
    for (const accountId of ids) {
      if (accountId !== caller.accountId && !(await context.isActive(accountId))) throw fail('guest_unknown')
      people.push({ accountId, spans: await busySpans(context, accountId, { ...range, zone, except }) })
    }
    const free =
      minutes === undefined
        ? []
        : findFree(
            people.flatMap(({ spans }) => spans),
            { ...range, minutes, zone, fromHour, toHour, most: mostFree },
          )
    return {
      items: people.map(({ accountId, spans }) => ({
        accountId,
        name: names.get(accountId) ?? '',
        busy: spans.map(tell),
      })),
      free: free.map(tell),
    }
  },
})

const tell = ({ from, to }: Span) => ({ startAt: toIsoTime(from), endAt: toIsoTime(to) })

/** What takes time of an account: own events, and those it said yes or maybe to. What follows an address takes none. */
const busySpans = async (
  { events, guests, subscriptions, zoneOf }: CalendarContext,
  accountId: string,
  { from, to, zone, except }: Span & { readonly zone: string; readonly except?: string | undefined },
): Promise<Span[]> => {
  const [own, invited] = await Promise.all([
    events.inRange({ accountId, calendarIds: [] }, from, to, mostRead),
    events.ofGuest(accountId, from, to, mostRead),
  ])
  const calendarIds = [...new Set(own.flatMap(({ calendarId }) => calendarId ?? []))]
  const followed = await subscriptions.ofCalendars(calendarIds)
  const answers = await guests.ofEvents(invited.map(({ id }) => id))
  // Whole days and floating times are where that person is.
  const viewerZone = (await zoneOf(accountId)) ?? zone
  const spansOf = (event: StoredEvent, guest: StoredGuest | null): Span[] =>
    event.id === except || !takesTime(event)
      ? []
      : occurrencesIn(event.content, from, to, viewerZone)
          .filter(({ change }) => (change?.status ?? event.content.status) !== 'cancelled')
          .filter(({ of }) => guest === null || comes.has(answerOf(guest, event.content.recurrence ? of : null)))
          .map(({ startAt, endAt }) => ({ from: startAt, to: endAt }))
  return mergeSpans(
    [
      ...own.flatMap((event) => (followed.has(event.calendarId ?? '') ? [] : spansOf(event, null))),
      ...invited.flatMap((event) =>
        spansOf(event, answers.get(event.id)?.find((guest) => guest.accountId === accountId) ?? null),
      ),
    ],
    { from, to },
  )
}
const comes: ReadonlySet<string> = new Set(['yes', 'maybe'])

/** Other programs mark with TRANSP what leaves one free (RFC 5545, 3.8.2.7). */
const takesTime = ({ content }: StoredEvent): boolean =>
  !content.extra.some(([name, , , value]) => name === 'transp' && String(value).toUpperCase() === 'TRANSPARENT')

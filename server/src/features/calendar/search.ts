/** Events in the search over everything: by their titles, places, guests and notes, and by the names of calendars. */
import { asksOfChats, type FindHits } from '../../core/resources/index.ts'
import { foldText, snippetOf } from '../../core/search/index.ts'
import type { CalendarContext } from './context.ts'
import { placeTiming } from './series/occurrences.ts'
import { eventOfEntry, partitionOf } from './stores/events.ts'
import { toIsoTime } from '../../platform/iso-time.ts'

/** So many events of each who invited somebody are looked through for the own invitations. */
const mostLooked = 500

export const createEventSearch =
  (context: CalendarContext): FindHits =>
  async (accountId, wanted, limit) => {
    const { words, kinds, within, after, before } = wanted
    // Nobody wrote them here, they have nothing in them, and no model.
    if (words === '' || asksOfChats(wanted)) return []
    if (kinds !== null && !kinds.has('calendar-event')) return []
    const { access, calendars, events, guests, indexes } = context
    const [own, reachable, hosts] = await Promise.all([
      calendars.ofAccount(accountId),
      access.listReachable(accountId, 'calendar'),
      // Who is invited knows no calendar of its host.
      within === null ? guests.ownersOf(accountId) : [],
    ])
    const others = await calendars.readMany(reachable.map(({ resourceId }) => resourceId))
    const isNamed = ({ name }: { readonly name: string }) => within === null || foldText(name).includes(within)
    const question = {
      text: words,
      everyWord: true,
      typing: true,
      limit,
      after: after ?? undefined,
      before: before ?? undefined,
    }
    const shared = others.filter(isNamed)
    const hits = await Promise.all([
      indexes.texts.find({
        ...question,
        partitions: [partitionOf(accountId)],
        ...(within === null ? {} : { groups: own.filter(isNamed).map(({ id }) => id) }),
      }),
      indexes.texts.find({
        ...question,
        partitions: [...new Set(shared.map(({ accountId: owner }) => partitionOf(owner)))],
        groups: shared.map(({ id }) => id),
      }),
      indexes.texts.find({ ...question, limit: mostLooked, partitions: hosts.map(partitionOf) }),
    ])
    const scores = new Map(hits.flat().map(({ id, score }) => [eventOfEntry(id), score]))
    const seen = new Set(others.map(({ id }) => id))
    // Asked again after they were read: one may have gone to another calendar meanwhile.
    const ids = [...scores.keys()]
    const invited = await guests.ofEvents(ids)
    const found = (await events.readMany(ids)).filter(
      (event) =>
        event.accountId === accountId ||
        (event.calendarId !== null && seen.has(event.calendarId)) ||
        (within === null && invited.get(event.id)?.some((guest) => guest.accountId === accountId)),
    )
    return found.map(({ id, accountId: ownerId, content }) => ({
      kind: 'calendar-event',
      id,
      title: content.title,
      ...snippetOf([content.place, content.notes].filter(Boolean).join('\n'), words),
      chatId: null,
      ownerId: ownerId === accountId ? null : ownerId,
      startChar: null,
      endChar: null,
      location: null,
      time: toIsoTime(placeTiming(content, 'UTC').startAt),
      score: scores.get(id) ?? 0,
    }))
  }

/** Events in the search over everything: by their titles, places and notes, and by the names of calendars. */
import type { FindHits } from '../../core/resources/index.ts'
import { foldText, snippetOf } from '../../core/search/index.ts'
import type { CalendarContext } from './context.ts'
import { placeTiming } from './series/occurrences.ts'
import { eventOfEntry, partitionOf } from './stores/events.ts'
import { toIsoTime } from '../../platform/iso-time.ts'

export const createEventSearch =
  (context: CalendarContext): FindHits =>
  async (accountId, { words, kinds, within, from, has, is, model, after, before }, limit) => {
    // Nobody wrote them here, they have nothing in them, and no model.
    if (words === '' || from !== null || has.size > 0 || is.size > 0 || model !== null) return []
    if (kinds !== null && !kinds.has('calendar-event')) return []
    const { access, calendars, events, indexes } = context
    const [own, reachable] = await Promise.all([
      calendars.ofAccount(accountId),
      access.listReachable(accountId, 'calendar'),
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
    ])
    const scores = new Map(hits.flat().map(({ id, score }) => [eventOfEntry(id), score]))
    const seen = new Set(others.map(({ id }) => id))
    // Asked again after they were read: one may have gone to another calendar meanwhile.
    const found = (await events.readMany([...scores.keys()])).filter(
      (event) => event.accountId === accountId || (event.calendarId !== null && seen.has(event.calendarId)),
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

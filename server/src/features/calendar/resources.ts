/** What calendars and events are to the rest of the product: how they are shared, found, counted, restored and removed. */
import type { calendarArea } from '@atrium/contract/calendar'
import type { ResourcesOf, Trash } from '../../core/resources/index.ts'
import { type CalendarContext, announceChange, announceTo } from './context.ts'
import { exportCalendars } from './ics/export.ts'
import { createEventSearch } from './search.ts'
import { calendarPlaces } from './stores/calendars.ts'
import { eventPlaces } from './stores/events.ts'

export const calendarResources = (context: CalendarContext): ResourcesOf<typeof calendarArea> => {
  const { calendars, events } = context
  return {
    calendar: {
      missing: 'calendar_not_found',
      places: calendarPlaces,
      within: null,
      async describe(ids) {
        return new Map((await calendars.readMany(ids)).map(({ id, accountId, name }) => [id, { accountId, name }]))
      },
      changed: (_id, accountIds) => announceTo(context, accountIds),
      async list(accountId, limit, cursor) {
        const { items, nextCursor } = await calendars.page(accountId, limit, cursor)
        return { items: items.map(({ id, name, updatedAt }) => ({ id, name, updatedAt })), nextCursor }
      },
      trash: calendarTrash(context),
      count: calendars.count,
      export: exportCalendars(context),
      removeAccount: calendars.removeAccount,
    },
    'calendar-event': {
      missing: 'event_not_found',
      places: eventPlaces,
      within: 'calendar',
      async describe(ids) {
        const found = await events.readMany(ids)
        return new Map(found.map(({ id, accountId, content }) => [id, { accountId, name: content.title }]))
      },
      changed: (_id, accountIds) => announceTo(context, accountIds),
      async list(accountId, limit, cursor) {
        const { items, nextCursor } = await events.page({ accountId }, limit, cursor)
        return {
          items: items.map(({ id, content, updatedAt }) => ({ id, name: content.title, updatedAt })),
          nextCursor,
        }
      },
      search: createEventSearch(context),
      trash: eventTrash(context),
      count: events.count,
      // In the files of the calendars.
      export: null,
      removeAccount: events.removeAccount,
    },
  }
}

const calendarTrash = (context: CalendarContext): Trash => {
  const { calendars } = context
  return {
    async list(accountId, limit, after) {
      const found = await calendars.deleted(accountId, after, limit)
      return found.map(({ id, name, deletedAt }) => ({ id, title: name, chatId: null, deletedAt: deletedAt ?? 0 }))
    },
    async restore(accountId, id) {
      const calendar = await calendars.readDeleted(accountId, id)
      if (!calendar || !(await calendars.replace(calendar, { ...calendar, deletedAt: null }))) return false
      await announceChange(context, accountId, [id])
      return true
    },
    async remove(accountId, id) {
      const calendar = await calendars.readDeleted(accountId, id)
      return calendar !== null && (await calendars.removeDeleted([id])) > 0
    },
    removeExpired: (before, signal) => removeExpired(calendars, before, signal),
  }
}

const eventTrash = (context: CalendarContext): Trash => {
  const { events } = context
  return {
    async list(accountId, limit, after) {
      const found = await events.deleted(accountId, after, limit)
      return found.map(({ id, content, deletedAt }) => ({
        id,
        title: content.title,
        chatId: null,
        deletedAt: deletedAt ?? 0,
      }))
    },
    async restore(accountId, id) {
      const event = await events.readDeleted(accountId, id)
      if (!event) return false
      const back = { ...event, version: event.version + 1, deletedAt: null }
      if ((await events.replace(event, back)) !== 'done') return false
      await announceChange(context, accountId, [event.calendarId])
      return true
    },
    async remove(accountId, id) {
      const event = await events.readDeleted(accountId, id)
      return event !== null && (await events.removeDeleted([id])) > 0
    },
    removeExpired: (before, signal) => removeExpired(events, before, signal),
  }
}

const removeExpired = async (
  store: {
    expired(before: number, limit: number): Promise<string[]>
    removeDeleted(ids: readonly string[]): Promise<number>
  },
  before: number,
  signal: AbortSignal,
): Promise<void> => {
  for (;;) {
    const ids = await store.expired(before, 100)
    if (ids.length === 0 || signal.aborted) return
    await store.removeDeleted(ids)
  }
}

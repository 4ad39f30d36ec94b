/** What calendars and events are to the rest of the product: how they are shared, found, counted, restored and removed. */
import type { calendarArea } from '@atrium/contract/calendar'
import { createTrash, type ResourcesOf, type Trash } from '../../core/resources/index.ts'
import { type CalendarContext, announceChange, announceTo } from './context.ts'
import { exportCalendars } from './ics/export.ts'
import { createEventSearch } from './search.ts'
import { calendarPlaces } from './stores/calendars.ts'
import { eventPlaces } from './stores/events.ts'
import { eventGuests } from './stores/guests.ts'
import { calendarTransfer } from './transfer.ts'
import { prepareGuestNotices } from './guests/invite.ts'

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
      transfer: calendarTransfer(context),
    },
    'calendar-event': {
      missing: 'event_not_found',
      places: eventPlaces,
      guests: eventGuests,
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
      async removeAccount(accountId) {
        await context.guests.removeAccount(accountId)
        await context.eventColors.removeAccount(accountId)
        await events.removeAccount(accountId)
      },
      transfer: { never: 'It goes with its calendar.' },
    },
  }
}

const calendarTrash = (context: CalendarContext): Trash =>
  createTrash(context.calendars.trash, {
    titleOf: ({ name }) => name,
    async restore(calendar) {
      if (!(await context.calendars.replace(calendar, { ...calendar, deletedAt: null }))) return false
      await announceChange(context, calendar.accountId, [calendar.id])
      return true
    },
  })

const eventTrash = (context: CalendarContext): Trash =>
  createTrash(context.events.trash, {
    titleOf: ({ content }) => content.title,
    async restore(event) {
      const back = { ...event, version: event.version + 1, deletedAt: null }
      const guests = (await context.guests.ofEvent(event.id)).map(({ accountId }) => accountId)
      const notices = await prepareGuestNotices(context, event.accountId, [{ event: back, guests, change: 'invited' }])
      if ((await context.events.replace(event, back, [], Infinity, notices.publish)) !== 'done') return false
      await notices.tell()
      await announceChange(context, event.accountId, [event.calendarId], [event.id])
      return true
    },
  })

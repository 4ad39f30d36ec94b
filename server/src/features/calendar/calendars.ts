/** Calendars: listed, made, renamed, coloured and deleted. */
import { type calendarRoutes, mostCalendars } from '@atrium/contract/calendar'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import { type CalendarContext, announceChange, announceTo } from './context.ts'
import { listCalendars } from './present.ts'
import { type StoredCalendar, toCalendar } from './stores/calendars.ts'

type Routes = Pick<typeof calendarRoutes, 'calendars' | 'createCalendar' | 'updateCalendar' | 'removeCalendar'>

export const calendarHandlers = (context: CalendarContext): Handlers<Routes> => {
  const { calendars, clock } = context

  const change = async (id: string, values: Partial<StoredCalendar>): Promise<StoredCalendar> => {
    const [before] = await calendars.readMany([id])
    const after = before && { ...before, ...values, updatedAt: clock.now() }
    if (!before || !after || !(await calendars.replace(before, after))) throw fail('calendar_not_found')
    await announceChange(context, after.accountId, [id])
    return after
  }

  return {
    async calendars(_input, { caller }) {
      return { items: await listCalendars(context, caller.accountId), nextCursor: null }
    },

    async createCalendar({ body: { name, color = null } }, { caller: { accountId } }) {
      const now = clock.now()
      const calendar = { id: clock.id(), accountId, name, createdAt: now, updatedAt: now, deletedAt: null }
      if (!(await calendars.add(calendar, mostCalendars))) throw fail('calendar_limit')
      if (color !== null) await calendars.setColor(calendar.id, accountId, color)
      await announceTo(context, [accountId])
      return toCalendar(calendar, color, null)
    },

    async updateCalendar({ body: { name, color } }, { resource, caller: { accountId } }) {
      if (name !== undefined && resource.right !== 'owner') throw fail('right_missing')
      if (name !== undefined) await change(resource.id, { name })
      if (color !== undefined) {
        await calendars.setColor(resource.id, accountId, color)
        await announceTo(context, [accountId])
      }
      const found = (await listCalendars(context, accountId)).find(({ id }) => id === resource.id)
      if (!found) throw fail('calendar_not_found')
      return found
    },

    async removeCalendar(_input, { resource, caller: { accountId } }) {
      if (await context.subscriptions.has(resource.id)) {
        const readers = await context.access.listReaders('calendar', resource.id)
        await removeWithEvents(context, resource.id)
        await announceTo(context, [accountId, ...readers])
        return {}
      }
      await change(resource.id, { deletedAt: clock.now() })
      return {}
    },
  }
}

/** What followed an address is there still: nothing of it is kept. */
const removeWithEvents = async ({ calendars, events }: CalendarContext, calendarId: string): Promise<void> => {
  for (;;) {
    const { items } = await events.page({ calendarId }, 200, undefined)
    if (items.length === 0) break
    await events.remove(items.map(({ id }) => id))
  }
  await calendars.remove(calendarId)
}

/** Files of iCalendar: given out and taken in. */
import type { calendarRoutes } from '@atrium/contract/calendar'
import { safeName } from '../../../platform/archive/write.ts'
import type { Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { CalendarContext } from '../context.ts'
import { writeCalendar } from './export.ts'
import { importCalendar } from './import.ts'

type Routes = Pick<typeof calendarRoutes, 'exportCalendar' | 'importCalendar'>

export const icsHandlers = (context: CalendarContext): Handlers<Routes> => {
  const { access, calendars } = context
  return {
    async exportCalendar({ query: { calendarId } }, { caller }) {
      const { accountId } = caller
      if (calendarId === undefined)
        return file('', writeCalendar(context, { where: { accountId }, name: null, readerId: accountId, guests: true }))
      await access.authorise(caller, { resource: 'calendar', id: 'calendarId', right: 'read' }, calendarId)
      const [calendar] = await calendars.readMany([calendarId])
      if (!calendar) throw fail('calendar_not_found')
      const { name } = calendar
      return file(name, writeCalendar(context, { where: { calendarId }, name, readerId: accountId, guests: true }))
    },

    async importCalendar({ query: { calendarId = null }, file: sent }, { caller, signal }) {
      const callerId = caller.accountId
      let accountId = callerId
      if (calendarId !== null) {
        const named = { resource: 'calendar', id: 'calendarId', right: 'write' } as const
        accountId = (await access.authorise(caller, named, calendarId)).ownerId
        if ((await calendars.readMany([calendarId])).length === 0) throw fail('calendar_not_found')
        if (await context.subscriptions.has(calendarId)) throw fail('calendar_subscribed')
      }
      return importCalendar(context, await sent.bytes(), { accountId, calendarId, callerId }, signal)
    },
  }
}

const file = (name: string, body: AsyncIterable<Uint8Array>) => ({
  body,
  mediaType: 'text/calendar; charset=utf-8',
  fileName: safeName(name, 'calendar', '.ics'),
  disposition: 'attachment' as const,
})

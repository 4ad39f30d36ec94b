/** A calendar and an event, for the tests over every kind of resource. */
import { type calendarArea, calendarRoutes as routes } from '@atrium/contract/calendar'
import type { Client } from '../../testing/client.ts'
import { idsOf, outcomeOf, type SamplesOf } from '../../testing/samples.ts'

const range = { from: '2026-11-01T00:00:00.000Z', to: '2026-12-01T00:00:00.000Z' }
const listEvents = (client: Client) => client.call(routes.events, { query: range })

export const samples: SamplesOf<typeof calendarArea> = {
  calendar: {
    make: async (owner, word) => {
      const { id } = await owner.call(routes.createCalendar, { body: { name: `The ${word}` } })
      return id
    },
    list: async (client) => idsOf((await client.call(routes.calendars, {})).items),
    read: (client, id) => outcomeOf(client, routes.events, { query: { ...range, calendarId: id } }),
    missing: 'calendar_not_found',
    remove: (owner, id) => owner.call(routes.removeCalendar, { params: { calendarId: id } }),
  },
  'calendar-event': {
    make: async (owner, word) => {
      const body = { title: `The ${word}`, startLocal: '2026-11-26T09:30', timeZone: 'Europe/Berlin' }
      return (await owner.call(routes.createEvent, { body })).id
    },
    list: async (client) => idsOf((await listEvents(client)).items),
    read: (client, id) => outcomeOf(client, routes.readEvent, { params: { eventId: id } }),
    missing: 'event_not_found',
    remove: (owner, id) => owner.call(routes.removeEvent, { params: { eventId: id } }),
  },
}

/** Calendars that are kept elsewhere: followed, and read by hand. */
import { type calendarRoutes, CalendarName, mostCalendars } from '@atrium/contract/calendar'
import type { Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { type CalendarContext, announceTo } from '../context.ts'
import { listCalendars } from '../present.ts'
import type { StoredSubscription } from '../stores/subscriptions.ts'
import { readAddress, toHttpAddress } from './read.ts'
import { refresh, writeOutcome } from './refresh.ts'

type Routes = Pick<typeof calendarRoutes, 'subscribe' | 'refreshSubscription'>

export const subscriptionHandlers = (context: CalendarContext): Handlers<Routes> => {
  const { calendars, clock, subscriptions } = context

  const present = async (accountId: string, id: string) => {
    const found = (await listCalendars(context, accountId)).find((calendar) => calendar.id === id)
    if (!found) throw fail('calendar_not_found')
    return found
  }

  return {
    async subscribe({ body: { url: given, name, color = null } }, { caller: { accountId }, signal }) {
      const url = toHttpAddress(given)
      // Refuses with a reason what the gate lets nobody reach.
      await context.outbound.check(url)
      const outcome = await readAddress(context, url, null, signal)
      if ('failure' in outcome) throw fail('subscription_failed', reasons[outcome.failure])
      const now = clock.now()
      const itsName = CalendarName.safeParse(outcome.name?.slice(0, 100))
      const calendar = {
        id: clock.id(),
        accountId,
        name: name ?? (itsName.success ? itsName.data : new URL(url).hostname),
        createdAt: now,
        updatedAt: now,
        deletedAt: null,
      }
      if (!(await calendars.add(calendar, mostCalendars))) throw fail('calendar_limit')
      const subscription: StoredSubscription = {
        calendarId: calendar.id,
        accountId,
        url,
        contentDigest: null,
        refreshedAt: null,
        nextAt: now,
        failures: 0,
        failure: null,
      }
      await subscriptions.add(subscription)
      if (color !== null) await calendars.setColor(calendar.id, accountId, color)
      await writeOutcome(context, subscription, outcome)
      await announceTo(context, [accountId])
      return present(accountId, calendar.id)
    },

    async refreshSubscription(_input, { resource, caller, signal }) {
      const subscription = (await subscriptions.ofCalendars([resource.id])).get(resource.id)
      if (!subscription) throw fail('calendar_not_found')
      await refresh(context, subscription, signal)
      return present(caller.accountId, resource.id)
    },
  }
}

const reasons = {
  unreachable: 'The server at this address didn’t respond as expected.',
  not_allowed: 'Atrium isn’t allowed to reach this address.',
  refused: 'The server at this address doesn’t let Atrium read the calendar.',
  not_found: 'Nothing found at this address.',
  not_a_calendar: 'This address doesn’t return a calendar (iCalendar, .ics).',
  too_large: 'The calendar is larger than 10 MB.',
  too_many_events: 'The calendar has too many events.',
}

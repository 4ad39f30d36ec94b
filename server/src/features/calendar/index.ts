/**
 * Calendars of an account and the events in them, which repeat by the rules of RFC 5545 in the zone they were made in.
 * Sealed with the keys of their owner; calendars are shared, events are read and changed by the right to theirs. Nobody is
 * invited by mail, and nothing that an event names is fetched; a calendar that follows an address is read from there.
 */
import { z } from 'zod'
import { defineJob } from '../../platform/jobs/types.ts'
import { minuteMs } from '../../platform/time/index.ts'
import { calendarHandlers } from './calendars.ts'
import type { CalendarContext } from './context.ts'
import type { CalendarDeps } from './dependencies.ts'
import { eventHandlers } from './events.ts'
import { feedHandlers } from './feeds.ts'
import { freeBusyHandlers } from './free-busy/handlers.ts'
import { guestHandlers } from './guests/handlers.ts'
import { icsHandlers } from './ics/handlers.ts'
import { quickAddHandlers } from './quick-add/handlers.ts'
import { createReminders } from './reminders.ts'
import { calendarResources } from './resources.ts'
import { createCalendarStore } from './stores/calendars.ts'
import { createEventStore } from './stores/events.ts'
import { createEventColorStore } from './stores/event-colors.ts'
import { createFeedStore } from './stores/feeds.ts'
import { createGuestStore } from './stores/guests.ts'
import { createReminderStore } from './stores/reminders.ts'
import { chatOfEvent, startsIn } from './starts.ts'
import { calendarTools } from './tools.ts'
import { createSubscriptionStore } from './stores/subscriptions.ts'
import { createTransferStore } from './stores/transfers.ts'
import { subscriptionHandlers } from './subscriptions/handlers.ts'
import { refreshDue } from './subscriptions/refresh.ts'

const refreshJob = 'calendar.refresh'

export const createCalendar = (deps: CalendarDeps) => {
  const guests = createGuestStore(deps)
  const events = createEventStore(deps, guests)
  const context: CalendarContext = {
    ...deps,
    calendars: createCalendarStore(deps),
    events,
    eventColors: createEventColorStore(deps),
    feeds: createFeedStore(deps),
    guests,
    reminders: createReminderStore(deps, events),
    subscriptions: createSubscriptionStore(deps),
    transfers: createTransferStore(deps),
  }
  const reminders = createReminders(context)
  const ofEvents = eventHandlers(context)
  const freeBusy = freeBusyHandlers(context)
  return {
    /** What begins when, as an account reads it now. */
    startsIn: (accountId: string, calendarId: string | null, range: { readonly from: number; readonly to: number }) =>
      startsIn(context, accountId, calendarId, range),
    chatOfEvent: (eventId: string) => chatOfEvent(context, eventId),
    handlers: {
      ...calendarHandlers(context),
      ...ofEvents,
      ...feedHandlers(context),
      ...freeBusy,
      ...guestHandlers(context),
      ...icsHandlers(context),
      ...quickAddHandlers(context),
      ...subscriptionHandlers(context),
    },
    tools: calendarTools(context, { ...ofEvents, ...freeBusy }),
    jobs: {
      [refreshJob]: defineJob({
        payload: z.strictObject({}),
        attempts: 3,
        priority: 'low' as const,
        timeoutMs: 20 * minuteMs,
        outward: true,
        run: (_payload, { signal }) => refreshDue(context, signal),
      }),
    },
    every: [[refreshJob, minuteMs]] as const,
    resources: calendarResources(context),
    listening: reminders.start,
    stop: reminders.stop,
  }
}

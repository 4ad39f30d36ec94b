/**
 * Calendars of an account and the events in them, which repeat by the rules of RFC 5545 in the zone they were made in.
 * Sealed with the keys of their owner; calendars are shared, events are read and changed by the right to theirs. Nobody is
 * invited by mail, and nothing that an event names is fetched.
 */
import { calendarHandlers } from './calendars.ts'
import type { CalendarContext } from './context.ts'
import type { CalendarDeps } from './dependencies.ts'
import { eventHandlers } from './events.ts'
import { feedHandlers } from './feeds.ts'
import { icsHandlers } from './ics/handlers.ts'
import { createReminders } from './reminders.ts'
import { calendarResources } from './resources.ts'
import { createCalendarStore } from './stores/calendars.ts'
import { createEventStore } from './stores/events.ts'
import { createFeedStore } from './stores/feeds.ts'
import { createReminderStore } from './stores/reminders.ts'
import { calendarTools } from './tools.ts'

export const createCalendar = (deps: CalendarDeps) => {
  const events = createEventStore(deps)
  const context: CalendarContext = {
    ...deps,
    calendars: createCalendarStore(deps),
    events,
    feeds: createFeedStore(deps),
    reminders: createReminderStore(deps, events),
  }
  const reminders = createReminders(context)
  const ofEvents = eventHandlers(context)
  return {
    handlers: {
      ...calendarHandlers(context),
      ...ofEvents,
      ...feedHandlers(context),
      ...icsHandlers(context),
    },
    tools: calendarTools(context, ofEvents),
    resources: calendarResources(context),
    listening: reminders.start,
    stop: reminders.stop,
  }
}

/** What the rest of the product derives from this area: its error codes, events, scopes and kinds. */
import { z } from 'zod'
import { describeArea } from '../description.ts'
import { Words } from '../notifications/words.ts'

/** Which event, and when it begins. */
const Happening = {
  eventId: z.string(),
  occurrence: z.iso.datetime().nullable(),
  startsAt: z.iso.datetime(),
  allDay: z.boolean(),
}

export const calendarDescription = describeArea({
  name: 'calendar',
  tag: 'calendar',
  errors: {
    calendar_not_found: [404, 'Calendar not found.'],
    event_not_found: [404, 'Event not found.'],
    occurrence_not_found: [404, 'This event doesn’t happen at that time.'],
    not_invited: [409, 'You aren’t invited to this event.'],
    guest_unknown: [422, 'One of the guests has no account here.'],
    occurrence_guests: [422, 'Invite guests to the whole series, or to this and all following events.'],
    feed_not_found: [404, 'No calendar found at this address.'],
    calendar_subscribed: [409, 'This calendar comes from an address and can’t be changed here.'],
    subscription_failed: [422, 'Couldn’t read the calendar at this address.'],
    calendar_limit: [409, 'You can have at most 100 calendars.'],
    event_limit: [409, 'You can have at most 50,000 events.'],
    occurrence_limit: [409, 'At most 1,000 occurrences of one event can be changed on their own.'],
    event_time_invalid: [422, 'Enter a start, and an end that isn’t before it.'],
    time_zone_unknown: [422, 'This time zone doesn’t exist.'],
    recurrence_invalid: [422, 'This repetition can’t be understood.'],
    range_invalid: [422, 'Give a range of at most 13 months whose end is after its start.'],
    calendar_damaged: [422, 'This file isn’t a complete calendar. Nothing was imported.'],
    calendar_too_large: [422, 'A file can have at most 20,000 events. Nothing was imported.'],
  },
  events: {
    /** Calendars, or events in them: own ones, or those that are shared with the account. */
    'calendar-changed': z.strictObject({}),
  },
  notifications: {
    /** An event begins soon; of one that repeats, this occurrence of it. */
    reminder: z.strictObject({
      name: Words,
      eventId: z.string(),
      /** Which occurrence; null of what does not repeat. */
      occurrence: z.iso.datetime().nullable(),
      startsAt: z.iso.datetime(),
      allDay: z.boolean(),
      /** The server was away when it was due. */
      missed: z.boolean(),
    }),
    /** Somebody invited the account, changed the event or called it off; of one that repeats, this occurrence of it, or all. */
    'event-invitation': z.strictObject({
      name: Words,
      by: Words,
      change: z.enum(['invited', 'changed', 'cancelled']),
      ...Happening,
    }),
    /** A guest answered. */
    'guest-answer': z.strictObject({ name: Words, by: Words, answer: z.enum(['yes', 'no', 'maybe']), ...Happening }),
  },
  audit: ['calendar-feed.create', 'calendar-feed.delete'],
  jobs: ['calendar.refresh'],
  scopes: ['read', 'write'],
  resources: {
    calendar: { shared: true, trashed: true, transferable: true, counted: 'calendars' },
    'calendar-event': { shared: true, private: true, found: true, trashed: true, counted: 'calendarEvents' },
  },
})

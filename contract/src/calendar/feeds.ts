/** Calendars across programs: subscriptions that are read from elsewhere, and feeds that others read here. */
import { z } from 'zod'
import { Id, Nothing } from '../common.ts'
import { bytes, routes } from '../route.ts'
import { Calendar, CalendarName, Color, Feed, FeedContent } from './shapes.ts'

const ById = z.strictObject({ calendarId: Id })
const ByFeed = ById.extend({ content: FeedContent })

export const feedRoutes = routes({
  subscribe: {
    method: 'post',
    path: '/api/calendar/subscriptions',
    access: 'user',
    limit: 'documents',
    summary: 'Subscribe to an external iCalendar address. It is read now and then every hour; its events are read-only',
    body: z.strictObject({ url: z.url().max(2000), name: CalendarName.optional(), color: Color.nullable().optional() }),
    returns: Calendar,
    errors: ['calendar_limit', 'subscription_failed', 'url_not_allowed'],
  },
  refreshSubscription: {
    method: 'post',
    path: '/api/calendar/calendars/{calendarId}/refresh',
    access: 'user',
    names: { resource: 'calendar', id: 'calendarId', right: 'owner' },
    limit: 'documents',
    summary: 'Refresh a subscribed calendar now. Its `subscription` has the result',
    params: ById,
    returns: Calendar,
    errors: ['calendar_not_found', 'right_missing'],
  },
  feeds: {
    method: 'get',
    path: '/api/calendar/calendars/{calendarId}/feeds',
    access: 'user',
    names: { resource: 'calendar', id: 'calendarId', right: 'owner' },
    summary: 'List the secret addresses of your calendar, without their secrets',
    params: ById,
    returns: z.strictObject({ items: z.array(Feed), nextCursor: z.null() }),
    errors: ['calendar_not_found', 'right_missing'],
  },
  createFeed: {
    method: 'post',
    path: '/api/calendar/calendars/{calendarId}/feeds/{content}',
    access: 'user',
    forPeople: true,
    names: { resource: 'calendar', id: 'calendarId', right: 'owner' },
    noStore: true,
    audit: 'calendar-feed.create',
    summary:
      'Create a secret address for your calendar, with all details or only busy times. Replaces the earlier one; returned only this once',
    params: ByFeed,
    returns: z.strictObject({ feed: Feed, path: z.string(), url: z.string() }),
    errors: ['calendar_not_found', 'right_missing'],
  },
  removeFeed: {
    method: 'delete',
    path: '/api/calendar/calendars/{calendarId}/feeds/{content}',
    access: 'user',
    names: { resource: 'calendar', id: 'calendarId', right: 'owner' },
    audit: 'calendar-feed.delete',
    summary: 'Turn off a secret address of your calendar',
    params: ByFeed,
    returns: Nothing,
    errors: ['calendar_not_found', 'right_missing', 'feed_not_found'],
  },
  readFeed: {
    method: 'get',
    path: '/api/calendar/feeds/{secret}/calendar.ics',
    access: 'public',
    names: 'instance',
    limit: 'link-read',
    summary: 'Get a calendar as iCalendar (RFC 5545) by its secret address. The ETag changes with the calendar',
    params: z.strictObject({ secret: z.string().min(1).max(100) }),
    returns: bytes,
    errors: ['feed_not_found'],
  },
})

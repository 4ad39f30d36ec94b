/** Calendars of an account, and the events in them. */
import { z } from 'zod'
import { area } from '../area.ts'
import { Id, Nothing } from '../common.ts'
import { bytes, routes } from '../route.ts'
import { calendarDescription } from './area.ts'
import { feedRoutes } from './feeds.ts'
import { FreeBusy, FreeBusyQuery } from './free-busy.ts'
import { QuickAddProposal, mostQuickAddLetters } from './quick-add.ts'
import {
  Calendar,
  CalendarEvent,
  CalendarName,
  Color,
  EventContent,
  Feed,
  GuestAnswer,
  ImportReport,
  ReminderMinutes,
  Subscription,
  mostImportBytes,
  mostReminders,
} from './shapes.ts'
import { Scope, TimeZone } from './times.ts'

export * from './free-busy.ts'
export * from './quick-add.ts'
export * from './shapes.ts'
export * from './times.ts'

const ById = z.strictObject({ calendarId: Id })
const ByEvent = z.strictObject({ eventId: Id })
/** Of an event that repeats: which occurrence, and how far the change goes. Without them it is about all of it. */
const Which = z.strictObject({
  occurrence: z.iso.datetime({ offset: true }).optional(),
  scope: Scope.optional(),
})

export const calendarRoutes = routes({
  calendars: {
    method: 'get',
    path: '/api/calendar/calendars',
    access: 'user',
    summary: 'List your calendars by name, then those shared with you',
    returns: z.strictObject({ items: z.array(Calendar), nextCursor: z.null() }),
  },
  createCalendar: {
    method: 'post',
    path: '/api/calendar/calendars',
    access: 'user',
    summary: 'Create a calendar',
    body: z.strictObject({ name: CalendarName, color: Color.nullable().optional() }),
    returns: Calendar,
    errors: ['calendar_limit'],
  },
  updateCalendar: {
    method: 'put',
    path: '/api/calendar/calendars/{calendarId}',
    access: 'user',
    names: { resource: 'calendar', id: 'calendarId', right: 'read' },
    summary: 'Rename a calendar, as its owner, or set the colour that you see it in',
    params: ById,
    body: z.strictObject({ name: CalendarName.optional(), color: Color.nullable().optional() }),
    returns: Calendar,
    errors: ['calendar_not_found', 'right_missing'],
  },
  removeCalendar: {
    method: 'delete',
    path: '/api/calendar/calendars/{calendarId}',
    access: 'user',
    names: { resource: 'calendar', id: 'calendarId', right: 'owner' },
    summary:
      'Delete a calendar. Its events stay, in none; restored within 30 days, it has them again. A subscribed one is deleted at once, with its events',
    params: ById,
    returns: Nothing,
    errors: ['calendar_not_found', 'right_missing'],
  },
  events: {
    method: 'get',
    path: '/api/calendar/events',
    access: 'user',
    summary:
      'List events in your and shared calendars within at most 13 months, by start time, with each occurrence listed separately',
    query: z.strictObject({
      from: z.iso.datetime({ offset: true }),
      to: z.iso.datetime({ offset: true }),
      /** Where floating times and whole days are taken to be; by default UTC. */
      timeZone: TimeZone.optional(),
      /** Of one calendar alone. */
      calendarId: Id.optional(),
    }),
    returns: z.strictObject({
      items: z.array(CalendarEvent),
      nextCursor: z.null(),
      /** There are more than 5,000, of which these are the first. */
      truncated: z.boolean(),
    }),
    errors: ['range_invalid', 'time_zone_unknown', 'calendar_not_found'],
  },
  createEvent: {
    method: 'post',
    path: '/api/calendar/events',
    access: 'user',
    summary: 'Create an event in your calendar, in one you can write to, or in none',
    body: EventContent,
    returns: CalendarEvent,
    errors: [
      'calendar_not_found',
      'calendar_subscribed',
      'right_missing',
      'event_limit',
      'guest_unknown',
      'event_time_invalid',
      'time_zone_unknown',
      'recurrence_invalid',
    ],
  },
  quickAdd: {
    method: 'post',
    path: '/api/calendar/quick-add',
    access: 'user',
    limit: 'generate',
    summary:
      'Turn an event written in words into a proposal, using your default model, or rules for English and Arabic without one. Nothing is created',
    body: z.strictObject({ text: z.string().trim().min(1).max(mostQuickAddLetters), timeZone: TimeZone }),
    returns: QuickAddProposal,
    errors: ['time_zone_unknown'],
  },
  readEvent: {
    method: 'get',
    path: '/api/calendar/events/{eventId}',
    access: 'user',
    names: { resource: 'calendar-event', id: 'eventId', right: 'read' },
    summary: 'Get an event. For a repeating event, returns the series',
    params: ByEvent,
    query: z.strictObject({ timeZone: TimeZone.optional() }),
    returns: CalendarEvent,
    errors: ['event_not_found', 'time_zone_unknown'],
  },
  updateEvent: {
    method: 'put',
    path: '/api/calendar/events/{eventId}',
    access: 'user',
    names: { resource: 'calendar-event', id: 'eventId', right: 'write' },
    summary:
      'Update an event, one occurrence, or an occurrence and all later ones. Omitted fields stay; 409 if `version` is outdated',
    params: ByEvent,
    query: Which,
    body: EventContent.partial().extend({ version: z.number().int().optional() }),
    returns: CalendarEvent,
    errors: [
      'event_not_found',
      'right_missing',
      'occurrence_not_found',
      'occurrence_limit',
      'calendar_not_found',
      'calendar_subscribed',
      'event_limit',
      'guest_unknown',
      'occurrence_guests',
      'event_time_invalid',
      'time_zone_unknown',
      'recurrence_invalid',
      'conflict',
    ],
  },
  removeEvent: {
    method: 'delete',
    path: '/api/calendar/events/{eventId}',
    access: 'user',
    names: { resource: 'calendar-event', id: 'eventId', right: 'write' },
    summary:
      'Delete an event, restorable for 30 days; or remove one occurrence, or it and all later ones, from a series',
    params: ByEvent,
    query: Which.extend({ version: z.coerce.number().int().optional() }),
    returns: Nothing,
    errors: [
      'event_not_found',
      'right_missing',
      'calendar_subscribed',
      'occurrence_not_found',
      'occurrence_limit',
      'conflict',
    ],
  },
  answerInvitation: {
    method: 'put',
    path: '/api/calendar/events/{eventId}/answer',
    access: 'user',
    names: { resource: 'calendar-event', id: 'eventId', right: 'read' },
    summary: 'Answer an invitation to an event, or to one occurrence of it. The owner is notified',
    params: ByEvent,
    body: z.strictObject({
      answer: GuestAnswer.exclude(['waiting']),
      occurrence: z.iso.datetime({ offset: true }).optional(),
    }),
    returns: CalendarEvent,
    errors: ['event_not_found', 'occurrence_not_found', 'not_invited'],
  },
  updateOwn: {
    method: 'put',
    path: '/api/calendar/events/{eventId}/own',
    access: 'user',
    names: { resource: 'calendar-event', id: 'eventId', right: 'read' },
    summary: 'Set your own reminders and colour for an event',
    params: ByEvent,
    body: z.strictObject({
      reminders: z.array(ReminderMinutes).max(mostReminders).optional(),
      /** null: as everybody sees it. */
      color: Color.nullable().optional(),
    }),
    returns: CalendarEvent,
    errors: ['event_not_found'],
  },
  freeBusy: {
    method: 'get',
    path: '/api/calendar/free-busy',
    access: 'user',
    limit: 'documents',
    summary:
      'Get when you and up to 20 others are busy within at most 62 days, without details. With `minutes`, also the next times when all are free',
    query: FreeBusyQuery,
    returns: FreeBusy,
    errors: ['range_invalid', 'time_zone_unknown', 'guest_unknown'],
  },
  exportCalendar: {
    method: 'get',
    path: '/api/calendar/export',
    access: 'user',
    summary: 'Export all of your events, or those of a calendar you can read, as iCalendar (RFC 5545)',
    query: z.strictObject({ calendarId: Id.optional() }),
    returns: bytes,
    errors: ['calendar_not_found'],
  },
  ...feedRoutes,
  importCalendar: {
    method: 'post',
    path: '/api/calendar/import',
    access: 'user',
    limit: 'documents',
    summary:
      'Import an iCalendar file, sent raw: every readable event, or none if the file is damaged. An event with a known UID is updated',
    query: z.strictObject({ calendarId: Id.optional() }),
    upload: { maxBytes: mostImportBytes },
    returns: ImportReport,
    errors: [
      'calendar_not_found',
      'right_missing',
      'calendar_subscribed',
      'calendar_damaged',
      'calendar_too_large',
      'event_limit',
    ],
  },
})

export const calendarArea = area(calendarDescription, {
  routes: calendarRoutes,
  shapes: { Calendar, CalendarEvent, Feed, ImportReport, QuickAddProposal, Subscription },
})

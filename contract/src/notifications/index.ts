/** The inbox of an account: what it was told of, newest first. */
import { z } from 'zod'
import { area } from '../area.ts'
import { Id, Nothing, PageQuery, Time, page } from '../common.ts'
import { routes } from '../route.ts'
import { notificationsDescription } from './area.ts'
import { NotificationKind, withContent } from './content.ts'

import { NotificationDelivery } from './delivery.ts'
import { NotificationPreferences, NotificationPreferencesPatch, NotificationWay } from './preferences.ts'

export * from './delivery.ts'
export * from './preferences.ts'
export { NotificationContent, NotificationKind, notificationKinds, wordsOf } from './content.ts'

export const Notification = withContent({
  id: Id,
  /** When it happened, for the last time. */
  at: Time,
  readAt: Time.nullable(),
  doneAt: Time.nullable(),
  /** It comes back then, unread. */
  snoozedUntil: Time.nullable(),
})
export type Notification = z.infer<typeof Notification>

/** `inbox`: all but what is done or snoozed; `unread`: of these, what was not read. */
export const NotificationState = z.enum(['inbox', 'unread', 'snoozed', 'done'])
export type NotificationState = z.infer<typeof NotificationState>

/** What happens in the inbox. `reset`: something was missed that is gone, so read the inbox anew. */
export const InboxEvent = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('changed'), data: z.strictObject({ unreadCount: z.number().int() }) }),
  z.strictObject({ type: z.literal('reset'), data: z.strictObject({ unreadCount: z.number().int() }) }),
])
export type InboxEvent = z.infer<typeof InboxEvent>

/** Unread ones are counted up to here. */
export const mostCounted = 1000
/** No longer than a year. */
export const longestSnoozeMs = 366 * 24 * 3600_000

const ById = z.strictObject({ id: Id })
/** `at` names what was changed by one call, so that it can be undone. */
const Changed = z.strictObject({ count: z.number().int(), at: Time })
const PreferencesAnswer = z.strictObject({ ...NotificationPreferences.shape, ways: z.array(NotificationWay) })
const OfKind = z.strictObject({ kind: NotificationKind.optional() })

export const notificationsRoutes = routes({
  list: {
    method: 'get',
    path: '/api/notifications',
    access: 'user',
    summary:
      'List your notifications, newest first. With `q`, a page may be short even if there are more; continue while there is a cursor',
    query: z.strictObject({
      ...PageQuery.shape,
      state: NotificationState.default('inbox'),
      kind: NotificationKind.optional(),
      /** Words that must all be among its texts. */
      q: z.string().trim().max(200).default(''),
    }),
    returns: page(Notification),
    errors: ['bad_cursor'],
  },
  unreadCount: {
    method: 'get',
    path: '/api/notifications/unread-count',
    access: 'user',
    summary: 'Get how many of your notifications are unread, up to 1000, and when the next snoozed one returns',
    returns: z.strictObject({ count: z.number().int(), nextAt: Time.nullable() }),
  },
  events: {
    method: 'get',
    path: '/api/notifications/events',
    access: 'user',
    summary:
      'Follow your inbox from now or from a place: each change, with the number of unread notifications up to 1000',
    query: z.strictObject({ after: z.coerce.number().int().min(0).optional() }),
    returns: z.never(),
    stream: InboxEvent,
  },
  readAll: {
    method: 'post',
    path: '/api/notifications/read-all',
    access: 'user',
    summary: 'Mark all of your notifications as read',
    body: OfKind,
    returns: Changed,
  },
  doneAll: {
    method: 'post',
    path: '/api/notifications/done-all',
    access: 'user',
    summary: 'Mark all of your notifications as done, except snoozed ones',
    body: OfKind,
    returns: Changed,
  },
  undoAll: {
    method: 'post',
    path: '/api/notifications/undo-all',
    access: 'user',
    summary: 'Undo marking many of your notifications as read or done',
    body: z.strictObject({ at: Time }),
    returns: z.strictObject({ count: z.number().int() }),
  },
  preferences: {
    method: 'get',
    path: '/api/notifications/preferences',
    access: 'user',
    summary: 'Get your notification preferences, and the ways you can be notified',
    returns: PreferencesAnswer,
  },
  updatePreferences: {
    method: 'put',
    path: '/api/notifications/preferences',
    access: 'user',
    summary: 'Update your notification preferences. Omitted fields stay as they are',
    body: NotificationPreferencesPatch,
    returns: PreferencesAnswer,
  },
  one: {
    method: 'get',
    path: '/api/notifications/{id}',
    access: 'user',
    names: 'own',
    summary: 'Get one of your notifications',
    params: ById,
    returns: Notification,
    errors: ['notification_not_found'],
  },
  deliveries: {
    method: 'get',
    path: '/api/notifications/{id}/deliveries',
    access: 'user',
    names: 'own',
    summary: 'List how your notification was delivered, and why not in other ways. Kept for 90 days',
    params: ById,
    returns: z.strictObject({ items: z.array(NotificationDelivery) }),
    errors: ['notification_not_found'],
  },
  read: {
    method: 'post',
    path: '/api/notifications/{id}/read',
    access: 'user',
    names: 'own',
    summary: 'Mark your notification as read',
    params: ById,
    returns: Notification,
    errors: ['notification_not_found'],
  },
  update: {
    method: 'patch',
    path: '/api/notifications/{id}',
    access: 'user',
    names: 'own',
    summary: 'Mark your notification as read, unread, done or not done, or snooze it until a time within a year',
    params: ById,
    body: z.strictObject({
      read: z.boolean().optional(),
      done: z.boolean().optional(),
      snoozedUntil: Time.nullable().optional(),
    }),
    returns: Notification,
    errors: ['notification_not_found'],
  },
  remove: {
    method: 'delete',
    path: '/api/notifications/{id}',
    access: 'user',
    names: 'own',
    summary: 'Delete your notification',
    params: ById,
    returns: Nothing,
    errors: ['notification_not_found'],
  },
})

export const notificationsArea = area(notificationsDescription, {
  routes: notificationsRoutes,
  shapes: { Notification, NotificationPreferences, InboxEvent },
})

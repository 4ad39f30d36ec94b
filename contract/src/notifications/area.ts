/** What the rest of the product derives from this area: its error codes, events, jobs and scopes. */
import { z } from 'zod'
import { describeArea } from '../description.ts'

export const notificationsDescription = describeArea({
  name: 'notifications',
  tag: 'notifications',
  errors: {
    notification_not_found: [404, 'Notification not found.'],
  },
  events: {
    /** The inbox of the account is another one. */
    'notifications-changed': z.strictObject({}),
    'notification-preferences-changed': z.strictObject({}),
  },
  jobs: ['notifications.upkeep', 'notifications.wake'],
  scopes: ['read', 'write'],
})

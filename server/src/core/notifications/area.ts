/** The area of notifications, as `compose()` creates it. */
import { notificationsArea } from '@atrium/contract/notifications'
import { defineArea } from '../../platform/areas/define-area.ts'
import { type Slot, createSlot } from '../../platform/slot.ts'
import type { AccountOptions } from '../accounts/index.ts'
import type { EventWatch } from '../../platform/areas/event-watch.ts'
import {
  type Deliveries,
  type PublishedNotification,
  createNotifications,
  notificationMigrations,
  notificationSealed,
} from './index.ts'

export const notifications = defineArea(notificationsArea)<{
  accounts: { readonly inbox: Slot<AccountOptions['notify']> }
}>()({
  needs: ['accounts'],
  migrations: notificationMigrations,
  sealed: notificationSealed,
  create(platform, { accounts }) {
    const deliveries = createSlot<Deliveries>('Deliveries of notifications')
    const watch = createSlot<EventWatch<PublishedNotification>>('Who waits for notifications')
    const { api, ...parts } = createNotifications({ ...platform, deliveries, watch })
    accounts.inbox.fill((accountId, key, facts) =>
      api.publish({ accountId, kind: 'security', sourceKey: `security:${key}`, facts }),
    )
    return { ...parts, api: { ...api, deliveries, watch } }
  },
})

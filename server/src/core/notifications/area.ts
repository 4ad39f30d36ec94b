/** The area of notifications, as `compose()` creates it. */
import { notificationsArea } from '@atrium/contract/notifications'
import { defineArea } from '../../platform/areas/define-area.ts'
import { createSlot } from '../../platform/slot.ts'
import { type Deliveries, createNotifications, notificationMigrations, notificationSealed } from './index.ts'

export const notifications = defineArea(notificationsArea)()({
  needs: [],
  migrations: notificationMigrations,
  sealed: notificationSealed,
  create(platform) {
    const deliveries = createSlot<Deliveries>('Deliveries of notifications')
    const { api, ...parts } = createNotifications({ ...platform, deliveries })
    return { ...parts, api: { ...api, deliveries } }
  },
})

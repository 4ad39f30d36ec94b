/** The area of deliveries, as `compose()` creates it. */
import { deliveriesArea } from '@atrium/contract/deliveries'
import { defineArea } from '../../platform/areas/define-area.ts'
import type { Slot } from '../../platform/slot.ts'
import type { Deliveries, Notifications } from '../notifications/index.ts'
import type { Push } from '../push/index.ts'
import { createDeliveries, deliveryMigrations } from './index.ts'
import { pushMessages } from './push-messages.ts'

interface Needs {
  readonly notifications: Pick<Notifications, 'read' | 'preferencesOf'> & { readonly deliveries: Slot<Deliveries> }
  readonly push: Pick<Push, 'deliver' | 'messages'>
}

export const deliveries = defineArea(deliveriesArea)<Needs>()({
  needs: ['notifications', 'push'],
  migrations: deliveryMigrations,
  create(platform, { notifications, push }) {
    push.messages.fill(pushMessages(notifications))
    const { deliveries, ...parts } = createDeliveries({ ...platform, notifications, ways: { push: push.deliver } })
    notifications.deliveries.fill(deliveries)
    return { ...parts, handlers: {}, api: undefined }
  },
})

/** Notifications for tests that stand below the whole app: the real ones, with nobody who follows them. */
import type { NotificationsDeps } from '../core/notifications/context.ts'
import { type Deliveries, type Notifications, createNotifications } from '../core/notifications/index.ts'
import { createSlot } from '../platform/slot.ts'

export const createTestNotifications = (
  deps: Pick<NotificationsDeps, 'clock' | 'database' | 'vault'> & Partial<NotificationsDeps>,
): Notifications =>
  createNotifications({
    announce: async () => undefined,
    events: { follow: () => nothing(), lastSeqsAt: async () => new Map() },
    prepareAnnouncement: async () => ({ write: async () => undefined, tell: async () => undefined }),
    deliveries: createSlot<Deliveries>('Deliveries of notifications'),
    watch: createSlot('Who waits for notifications'),
    ...deps,
  }).api

async function* nothing(): AsyncGenerator<never> {
  yield* []
}

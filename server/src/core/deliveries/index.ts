/**
 * How notifications leave the inbox. What is to be delivered is written in the transaction that writes the notification,
 * and handed to every way out after it: at once, or by the next look of any process where one ended in between. Each way
 * takes the same delivery twice as once. It asks the inbox for words only when something is sent.
 */
import { isAlwaysTold, type NotificationWay, type WaysOfKind } from '@atrium/contract/notifications'
import { z } from 'zod'
import { defineJob } from '../../platform/jobs/types.ts'
import type { Platform } from '../../platform/platform.ts'
import type { PresenceArea } from '../presence/index.ts'
import { type Deliveries, endOfQuiet, type Notifications } from '../notifications/index.ts'
import { createDeliveryStore } from './store.ts'
import type { DeliveryRow } from './tables.ts'

export { deliveryMigrations } from './tables.ts'
export { describeNotification } from './sentences.ts'

/** Somebody is to be told of a notification, since a time (milliseconds). */
export interface Delivery {
  readonly id: string
  readonly accountId: string
  readonly notificationId: string
  readonly kind: DeliveryRow['kind']
  readonly at: number
}

export interface DeliveriesDeps extends Pick<Platform, 'clock' | 'database' | 'log'> {
  readonly notifications: Pick<Notifications, 'preferencesOf'>
  readonly presence: Pick<PresenceArea, 'quietUntil'>
  /** The ways out. Each keeps a delivery for itself when it was handed it. */
  readonly ways: Partial<Readonly<Record<NotificationWay, (delivery: Delivery) => Promise<void>>>>
}

export const sweepJob = 'deliveries.sweep'
const sweepMs = 60_000
const batch = 100
/** Between two looks whether somebody still is not to be disturbed. */
const quietLookMs = 5 * 60_000
/** What no way out took for so long is old news. */
const keptMs = 24 * 3600_000

export const createDeliveries = ({ clock, database, log, notifications, presence, ways }: DeliveriesDeps) => {
  const store = createDeliveryStore(database)
  let running: Promise<void> | null = null
  let isAsked = false

  const hand = async (row: DeliveryRow): Promise<void> => {
    const { id, account_id: accountId, notification_id: notificationId, kind, due_at: at } = row
    const preferences = await notifications.preferencesOf(accountId)
    const now = clock.now()
    const quietUntil = isAlwaysTold(kind) ? null : await presence.quietUntil(accountId)
    // It may end before its time, so it is looked at again.
    if (quietUntil !== null && quietUntil > now) return await store.defer(id, Math.min(quietUntil, now + quietLookMs))
    const dueAt = isAlwaysTold(kind) ? at : endOfQuiet(preferences, now)
    if (dueAt !== null && dueAt > now) return await store.defer(id, dueAt)
    // Where quiet never ends, nothing is told.
    if (dueAt !== null)
      for (const way of waysOf(preferences.kinds[kind])) await ways[way]?.({ id, accountId, notificationId, kind, at })
    await store.remove(id)
  }
  const handAll = async (): Promise<void> => {
    for (let after = '', rows: DeliveryRow[]; (rows = await store.next(clock.now(), after, batch)).length > 0; ) {
      for (const row of rows) {
        after = row.id
        // One that fails keeps no other waiting; the next look has it again.
        await hand(row).catch((error: unknown) => log.warn('A notification could not be delivered', { error }))
      }
    }
  }
  const turn = async (): Promise<void> => {
    do {
      isAsked = false
      await handAll().catch((error: unknown) => log.warn('Notifications could not be delivered', { error }))
    } while (isAsked)
  }
  const wake = (): void => {
    isAsked = true
    running ??= turn().finally(() => {
      running = null
    })
  }

  const deliveries: Deliveries = {
    ways: notificationWays.filter((way) => ways[way] !== undefined),
    async published(trx, { id: notificationId, accountId, kind, change }) {
      // What only says something else now was told already.
      if (change === 'changed') return
      const row = {
        id: clock.id(),
        account_id: accountId,
        notification_id: notificationId,
        kind,
        due_at: clock.now(),
      }
      await store.insert(trx, row)
    },
    wake,
  }
  return {
    deliveries,
    jobs: {
      [sweepJob]: defineJob({
        payload: z.strictObject({}),
        attempts: 1,
        timeoutMs: 60_000,
        outward: true,
        async run() {
          await store.removeBefore(clock.now() - keptMs)
          await handAll()
        },
      }),
    },
    every: [[sweepJob, sweepMs]] as const,
    accountRemoved: store.removeAccount,
    async stop(): Promise<void> {
      await running
    },
  }
}

const notificationWays = ['push', 'mail', 'webhook'] as const satisfies readonly NotificationWay[]

const waysOf = ({ push, mail, webhook }: WaysOfKind): NotificationWay[] =>
  notificationWays.filter((way) => ({ push, mail: mail === 'now', webhook })[way])

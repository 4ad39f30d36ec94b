/**
 * How notifications leave the inbox. What is to be delivered is written in the transaction that writes the notification,
 * and handed to every way out after it: at once, or by the next look of any process where one ended in between. Each way
 * takes the same delivery twice as once. It asks the inbox for words only when something is sent, and notes for each way
 * what became of it, so that its reader can see why.
 */
import {
  type DeliveryReason,
  type DeliveryState,
  type NotificationPreferences,
  type NotificationWay,
} from '@atrium/contract/notifications'
import { z } from 'zod'
import { defineJob } from '../../platform/jobs/types.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Deliveries, Notifications } from '../notifications/index.ts'
import { type HoldDeps, holdOf } from './hold.ts'
import { createDeliveryStore } from './store.ts'
import type { DeliveryOutcomeRow, DeliveryRow } from './tables.ts'

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

/** What became of it by one way. `at`: until when it waits, where that is known. */
export interface Outcome {
  readonly state: DeliveryState
  readonly reason: DeliveryReason | null
  readonly at?: number
}

/** A way out. It keeps a delivery for itself when it was handed it. null: it notes by itself what becomes of it. */
export type Way = (delivery: Delivery, preferences: NotificationPreferences) => Promise<Outcome | null>

/** Notes what became of notifications by a way. */
export type NoteOutcome = (
  accountId: string,
  notificationIds: readonly string[],
  way: NotificationWay,
  outcome: Outcome,
) => Promise<void>

export interface DeliveriesDeps extends Pick<Platform, 'clock' | 'database' | 'log'> {
  readonly notifications: Pick<Notifications, 'preferencesOf' | 'read'>
  readonly presence: HoldDeps['presence']
  readonly ways: Partial<Readonly<Record<NotificationWay, Way>>>
}

export const sweepJob = 'deliveries.sweep'
const sweepMs = 60_000
const batch = 100
/** What no way out took for so long is old news. */
const keptMs = 24 * 3600_000
/** As long as notifications themselves. */
const outcomesKeptMs = 90 * 24 * 3600_000

/** Where it was handed over to so many places. */
export const sentTo = (places: number): Outcome =>
  places > 0 ? { state: 'sent', reason: null } : { state: 'not-sent', reason: 'no-destination' }

export const createOutcomes = ({ clock, database }: Pick<DeliveriesDeps, 'clock' | 'database'>): NoteOutcome => {
  const store = createDeliveryStore(database)
  return (account_id, notificationIds, way, { state, reason, at = clock.now() }) =>
    store.note(notificationIds.map((notification_id) => ({ notification_id, way, account_id, state, reason, at })))
}

export const createDeliveries = (deps: DeliveriesDeps) => {
  const { clock, database, log, notifications, ways } = deps
  const store = createDeliveryStore(database)
  const offered = notificationWays.filter((way) => ways[way] !== undefined)
  let running: Promise<void> | null = null
  let isAsked = false

  const hand = async (row: DeliveryRow): Promise<void> => {
    const { id, account_id: accountId, notification_id: notificationId, kind, due_at: at } = row
    const preferences = await notifications.preferencesOf(accountId)
    const noted = new Map((await store.outcomes(accountId, notificationId)).map((one) => [one.way, one.state]))
    const hold = await holdOf(deps, row, preferences)
    const by = async (way: NotificationWay): Promise<Outcome | null> => {
      const chosen = preferences.kinds[kind][way]
      if (chosen === false || chosen === 'off') return { state: 'not-sent', reason: 'kind-off' }
      // A digest comes at its own time.
      if (hold && chosen !== 'digest' && (way !== 'webhook' || hold.holdsWebhooks)) return hold.outcome
      return (await ways[way]?.({ id, accountId, notificationId, kind, at }, preferences)) ?? null
    }
    const rows: DeliveryOutcomeRow[] = []
    for (const way of offered.filter((each) => noted.get(each) !== 'sent')) {
      const outcome = await by(way)
      if (!outcome) continue
      const { state, reason, at: until = clock.now() } = outcome
      rows.push({ notification_id: notificationId, way, account_id: accountId, state, reason, at: until })
    }
    await store.note(rows)
    const isHeld = rows.some(({ reason, state }) => state === 'waiting' && reason === hold?.outcome.reason)
    await (hold?.lookAt && isHeld ? store.defer(id, hold.lookAt) : store.remove(id))
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
      // Who asked since the last look could not know that it was over.
      if (isAsked) wake()
    })
  }

  const deliveries: Deliveries = {
    ways: offered,
    async published(trx, { id: notificationId, accountId, kind, change }) {
      // What only says something else now was told already.
      if (change === 'changed') return
      if (change === 'again') await store.forgetOutcomes(trx, notificationId)
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
    async outcomesOf(accountId, notificationId) {
      const rows = await store.outcomes(accountId, notificationId)
      return offered.flatMap((way) =>
        rows
          .filter((row) => row.way === way)
          .map(({ state, reason, at }) => ({ way, state, reason, at: new Date(at).toISOString() })),
      )
    },
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
          await store.removeBefore(clock.now() - keptMs, clock.now() - outcomesKeptMs)
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

/** Notifications that nobody was told of yet, beside the inbox, and what became of those that were looked at. */
import type { DeliveryReason, DeliveryState, NotificationKind, NotificationWay } from '@atrium/contract/notifications'
import type { Migration } from '../../platform/db/types.ts'

export interface DeliveryRow {
  id: string
  account_id: string
  notification_id: string
  kind: NotificationKind
  /** When it is to be told: as it came, or when it is looked at again. */
  due_at: number
}

/** What became of a notification by one way. */
export interface DeliveryOutcomeRow {
  notification_id: string
  way: NotificationWay
  account_id: string
  state: DeliveryState
  reason: DeliveryReason | null
  /** When that was so; where it waits for a time, until when. */
  at: number
}

export interface DeliveryTables {
  deliveries: DeliveryRow
  delivery_outcomes: DeliveryOutcomeRow
}

export const deliveryMigrations: readonly Migration[] = [
  {
    id: 'deliveries/0001-deliveries',
    up: ({ text, int }) => [
      `create table deliveries (
        id ${text} primary key,
        account_id ${text} not null,
        notification_id ${text} not null,
        kind ${text} not null,
        due_at ${int} not null
      )`,
      'create index deliveries_account on deliveries (account_id)',
      'create index deliveries_due on deliveries (due_at)',
    ],
  },
  {
    id: 'deliveries/0002-outcomes',
    up: ({ text, int }) => [
      `create table delivery_outcomes (
        notification_id ${text} not null,
        way ${text} not null,
        account_id ${text} not null,
        state ${text} not null,
        reason ${text},
        at ${int} not null,
        primary key (notification_id, way)
      )`,
      'create index delivery_outcomes_account on delivery_outcomes (account_id)',
      'create index delivery_outcomes_at on delivery_outcomes (at)',
    ],
  },
]

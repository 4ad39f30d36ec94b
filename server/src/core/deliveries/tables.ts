/** Notifications that nobody was told of yet, beside the inbox. */
import type { NotificationKind } from '@atrium/contract/notifications'
import type { Migration } from '../../platform/db/types.ts'

export interface DeliveryRow {
  id: string
  account_id: string
  notification_id: string
  kind: NotificationKind
  /** When it is to be told: as it came, or when quiet hours are over. */
  due_at: number
}

export interface DeliveryTables {
  deliveries: DeliveryRow
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
]

/** Webhooks and what they were told. Names, addresses, secrets and bodies are sealed for their owner, or the instance. */
import type { Migration } from '../../platform/db/types.ts'
import { type SealedColumn, sealedColumns } from '../../platform/vault/sealed-columns.ts'

export interface WebhookRow {
  id: string
  /** null: the instance's. */
  account_id: string | null
  /** JSON: name, address, and whether words go along. Sealed. */
  target: Uint8Array
  secret: Uint8Array
  /** Signs as well until `old_secret_until`. */
  old_secret: Uint8Array | null
  old_secret_until: number | null
  /** JSON: kinds, or `*`. */
  events: string
  enabled: 0 | 1
  off_reason: 'gone' | 'failing' | null
  failing_since: number | null
  created_at: number
  updated_at: number
}

export interface WebhookDeliveryRow {
  id: string
  webhook_id: string
  /** The webhook's. */
  account_id: string | null
  /** Names what it tells of: the same thing is told to a webhook once. */
  source: string
  type: string
  body: Uint8Array
  state: 'waiting' | 'delivered' | 'failed'
  tries: number
  /** When the tries began that are counted for giving up: again by hand, it is later than its creation. */
  begun_at: number
  status: number | null
  failure: string | null
  duration_ms: number | null
  created_at: number
  tried_at: number | null
  next_try_at: number | null
}

export interface WebhookTables {
  webhooks: WebhookRow
  webhook_deliveries: WebhookDeliveryRow
}

export const webhookMigrations: readonly Migration[] = [
  {
    id: 'webhooks/0001-webhooks',
    up: ({ text, int, bytes }) => [
      `create table webhooks (
        id ${text} primary key,
        account_id ${text},
        target ${bytes} not null,
        secret ${bytes} not null,
        old_secret ${bytes},
        old_secret_until ${int},
        events ${text} not null,
        enabled ${int} not null,
        off_reason ${text},
        failing_since ${int},
        created_at ${int} not null,
        updated_at ${int} not null
      )`,
      'create index webhooks_account on webhooks (account_id, created_at, id)',
      `create table webhook_deliveries (
        id ${text} primary key,
        webhook_id ${text} not null references webhooks (id) on delete cascade,
        account_id ${text},
        source ${text} not null,
        type ${text} not null,
        body ${bytes} not null,
        state ${text} not null,
        tries ${int} not null,
        begun_at ${int} not null,
        status ${int},
        failure ${text},
        duration_ms ${int},
        created_at ${int} not null,
        tried_at ${int},
        next_try_at ${int}
      )`,
      'create unique index webhook_deliveries_source on webhook_deliveries (webhook_id, source)',
      'create index webhook_deliveries_webhook on webhook_deliveries (webhook_id, created_at, id)',
      'create index webhook_deliveries_age on webhook_deliveries (created_at)',
    ],
  },
]

export const webhookSealed: readonly SealedColumn[] = [
  ...sealedColumns('webhooks', ['target', 'secret', 'old_secret'], { owner: 'account_id' }),
  ...sealedColumns('webhook_deliveries', ['body'], { owner: 'account_id' }),
]

/** The audit: rows are added and, when their time is over, removed from the old end; never changed. */
import type { Migration } from '../db/types.ts'
import { type SealedColumn, sealedColumns } from '../vault/sealed-columns.ts'

export interface AuditRow {
  /** Without gaps, from 1. */
  seq: number
  id: string
  occurred_at: number
  actor_kind: string
  actor_account_id: string | null
  action: string
  target_type: string | null
  target_id: string | null
  result: string
  /** Sealed JSON: request id, address, details. */
  body: Uint8Array
  /** Keyed digest over the row and the hash of the row before. */
  hash: string
}

export interface AuditHeadRow {
  /** Always 1: there is one chain. */
  id: number
  seq: number
  hash: string
  /** The newest row that was removed because its time was over: what the oldest one hangs on. */
  removed_seq: number
  removed_hash: string
}

export interface AuditTables {
  audit_events: AuditRow
  audit_head: AuditHeadRow
}

export const auditMigrations: readonly Migration[] = [
  {
    id: 'audit/0001-events',
    up: ({ text, int, bytes }) => [
      `create table audit_events (
        seq ${int} primary key,
        id ${text} not null unique,
        occurred_at ${int} not null,
        actor_kind ${text} not null,
        actor_account_id ${text},
        action ${text} not null,
        target_type ${text},
        target_id ${text},
        result ${text} not null,
        body ${bytes} not null,
        hash ${text} not null
      )`,
      'create index audit_events_time on audit_events (occurred_at, seq)',
      'create index audit_events_actor on audit_events (actor_account_id, seq)',
      'create index audit_events_action on audit_events (action, seq)',
      `create table audit_head (
        id ${int} primary key check (id = 1),
        seq ${int} not null,
        hash ${text} not null,
        removed_seq ${int} not null,
        removed_hash ${text} not null
      )`,
      `insert into audit_head (id, seq, hash, removed_seq, removed_hash) values (1, 0, '', 0, '')`,
    ],
  },
]

export const auditSealed: readonly SealedColumn[] = [
  ...sealedColumns('audit_events', ['body'], { key: ['seq'], row: 'id' }),
]

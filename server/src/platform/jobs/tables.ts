import type { Migration } from '../db/types.ts'
import { type SealedColumn, sealedColumns } from '../vault/sealed-columns.ts'

export interface JobRow {
  id: string
  account_id: string | null
  /** The account again, empty for the instance: what fairness counts by. */
  share: string
  kind: string
  state: 'queued' | 'running' | 'succeeded' | 'cancelled' | 'failed'
  payload: Uint8Array
  subject: Uint8Array | null
  progress: Uint8Array | null
  /** A keyed digest of account, kind and key. */
  dedupe: string | null
  /** 1: the key falls with the end of the job. */
  dedupe_ends: number
  /** The key that fell when the job failed: it takes it again when it is tried again. */
  former_dedupe: string | null
  /** Recurring jobs are queued again when they end. */
  interval_ms: number | null
  due_at: number
  attempts: number
  /** Known once a worker has claimed it. */
  max_attempts: number
  /** The process that works on it. */
  owner: string | null
  lease_until: number | null
  /** Grows with every claim and every loss: a worker writes only while it is unchanged. */
  fence: number
  cancel_requested: number
  failure_code: string | null
  failure_detail: string | null
  created_at: number
  started_at: number | null
  finished_at: number | null
}

export interface JobTables {
  jobs: JobRow
}

export const jobMigrations: readonly Migration[] = [
  {
    id: 'jobs/0001-jobs',
    up: ({ text, int, bytes }) => [
      `create table jobs (
        id ${text} primary key,
        account_id ${text},
        share ${text} not null,
        kind ${text} not null,
        state ${text} not null,
        payload ${bytes} not null,
        subject ${bytes},
        progress ${bytes},
        dedupe ${text} unique,
        dedupe_ends ${int} not null,
        interval_ms ${int},
        due_at ${int} not null,
        attempts ${int} not null,
        max_attempts ${int} not null,
        owner ${text},
        lease_until ${int},
        fence ${int} not null,
        cancel_requested ${int} not null,
        failure_code ${text},
        failure_detail ${text},
        created_at ${int} not null,
        started_at ${int},
        finished_at ${int}
      )`,
      'create index jobs_queue on jobs (state, share, due_at, id, kind, account_id)',
      'create index jobs_account on jobs (account_id, created_at, id)',
      'create index jobs_finished on jobs (finished_at)',
    ],
  },
  {
    id: 'jobs/0002-retries',
    up: ({ text }) => [
      `alter table jobs add column former_dedupe ${text}`,
      'create index jobs_created on jobs (created_at, id)',
    ],
  },
]

export const jobSealed: readonly SealedColumn[] = [
  ...sealedColumns('jobs', ['payload', 'subject', 'progress'], { owner: 'account_id' }),
]

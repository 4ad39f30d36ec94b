import type { JobAttempt } from '@atrium/contract/durable-jobs'
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
  /** 1: it was asked for again while it runs, and is queued once more when this run ends. */
  again: number
  failure_code: string | null
  failure_detail: string | null
  created_at: number
  started_at: number | null
  finished_at: number | null
}

/** A try of a job: begun with a claim, ended with it. */
export interface JobAttemptRow {
  job_id: string
  /** The fence of the claim. */
  fence: number
  kind: string
  /** Which of its tries it is, from 1; the count begins anew when a failed job is retried. */
  attempt: number
  /** The process that worked on it. */
  process: string
  started_at: number
  finished_at: number | null
  outcome: JobAttempt['outcome']
  /** A code of the closed list `JobCode`. */
  code: string | null
}

/** When the oldest waiting job of an account and kind is due: what workers look at instead of the whole queue. */
export interface JobHeadRow {
  share: string
  kind: string
  due_at: number
}

/** A kind that is not begun in any process. */
export interface JobPauseRow {
  kind: string
  paused_at: number
}

export interface JobTables {
  jobs: JobRow
  job_attempts: JobAttemptRow
  job_heads: JobHeadRow
  job_pauses: JobPauseRow
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
  {
    id: 'jobs/0003-attempts-heads-pauses',
    up: ({ text, int }) => [
      `create table job_attempts (
        job_id ${text} not null,
        fence ${int} not null,
        kind ${text} not null,
        attempt ${int} not null,
        process ${text} not null,
        started_at ${int} not null,
        finished_at ${int},
        outcome ${text} not null,
        code ${text},
        primary key (job_id, fence)
      )`,
      'create index job_attempts_finished on job_attempts (finished_at, kind, outcome)',
      `create table job_heads (
        share ${text} not null,
        kind ${text} not null,
        due_at ${int} not null,
        primary key (share, kind)
      )`,
      'create index job_heads_due on job_heads (kind, due_at, share)',
      `insert into job_heads (share, kind, due_at)
        select share, kind, min(due_at) from jobs where state = 'queued' group by share, kind`,
      `create table job_pauses (kind ${text} primary key, paused_at ${int} not null)`,
      'drop index jobs_queue',
      'create index jobs_queue on jobs (state, share, kind, due_at, id)',
      'drop index jobs_finished',
      'create index jobs_ended on jobs (state, finished_at)',
    ],
  },
  {
    // Nobody takes a job of the former name: the answer that it goes on with would wait for ever.
    id: 'jobs/0004-resume-kind',
    up: () => [
      `update jobs set kind = 'tools.resume' where kind = 'tools.go-on'`,
      `delete from job_heads where kind = 'tools.go-on'`,
      `insert into job_heads (share, kind, due_at)
        select share, kind, min(due_at) from jobs where state = 'queued' and kind = 'tools.resume' group by share, kind
        on conflict (share, kind) do update set due_at = excluded.due_at`,
    ],
  },
  {
    id: 'jobs/0005-again',
    up: ({ int }) => [`alter table jobs add column again ${int} not null default 0`],
  },
]

export const jobSealed: readonly SealedColumn[] = [
  ...sealedColumns('jobs', ['payload', 'subject', 'progress'], { owner: 'account_id' }),
]

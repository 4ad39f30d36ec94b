/** Rows of jobs as their owners and as administrators see them. */
import type { InstanceJob, Job, JobAttempt } from '@atrium/contract/durable-jobs'
import { type ErrorCode, errors } from '@atrium/contract/errors'
import { z } from 'zod'
import { openWords, storedJson, unlessUnreadable } from '../stored-json.ts'
import type { Keyring } from '../vault/types.ts'
import type { JobAttemptRow, JobRow } from './tables.ts'

export interface JobProgress {
  readonly current: number
  readonly total: number | null
  readonly message: string | null
}

const Progress = z.object({ current: z.number(), total: z.number().nullable(), message: z.string().nullable() })
const progressJson = storedJson<JobProgress>('jobs.progress', Progress)
/** null, too, for one that cannot be read: the next one takes its place. */
const openProgress = ({ id, progress }: JobRow, keyring: Keyring): JobProgress | null =>
  progress && unlessUnreadable(() => progressJson.open(keyring, id, progress), null)

export const rowToJob = (row: JobRow, keyring: Keyring): Job => ({
  id: row.id,
  kind: row.kind,
  state: row.state,
  attempts: row.attempts,
  maxAttempts: row.max_attempts,
  progress: openProgress(row, keyring),
  failure: row.failure_code === null ? null : { code: row.failure_code, detail: row.failure_detail ?? '' },
  subject: row.subject && openWords(keyring, 'jobs.subject', row.id, row.subject),
  cancelRequested: row.cancel_requested === 1,
  createdAt: timeOf(row.created_at),
  startedAt: row.started_at === null ? null : timeOf(row.started_at),
  finishedAt: row.finished_at === null ? null : timeOf(row.finished_at),
})

/** Accounts come without their names, and processes without their hosts. */
export const rowToInstanceJob = (row: JobRow): InstanceJob => ({
  id: row.id,
  kind: row.kind,
  state: row.state,
  attempts: row.attempts,
  maxAttempts: row.max_attempts,
  progress: null,
  failure: row.failure_code === null ? null : { code: row.failure_code, detail: detailOf(row.failure_code, row) },
  subject: null,
  cancelRequested: row.cancel_requested === 1,
  createdAt: timeOf(row.created_at),
  startedAt: row.started_at === null ? null : timeOf(row.started_at),
  finishedAt: row.finished_at === null ? null : timeOf(row.finished_at),
  account: row.account_id === null ? null : { id: row.account_id, name: null },
  process: row.owner === null ? null : { id: row.owner, host: null, pid: null },
  nextRunAt: row.state === 'queued' ? timeOf(row.due_at) : null,
  everyMs: row.interval_ms,
})

/** The sentence of a refusal may name a model or a file of the account; the one of its code never does. */
const detailOf = (code: string, { account_id, failure_detail }: JobRow): string =>
  (account_id !== null && errors[code as ErrorCode]?.[1]) || (failure_detail ?? '')

export const rowToAttempt = (row: JobAttemptRow): JobAttempt => ({
  number: row.attempt,
  process: { id: row.process, host: null, pid: null },
  startedAt: timeOf(row.started_at),
  finishedAt: row.finished_at === null ? null : timeOf(row.finished_at),
  outcome: row.outcome,
  code: row.code,
})

const timeOf = (ms: number): string => new Date(ms).toISOString()

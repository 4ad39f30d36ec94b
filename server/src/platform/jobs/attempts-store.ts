/** Every try of a job, as a row: who worked on it, from when to when, and how it ended. */
import type { JobAttempt } from '@atrium/contract/durable-jobs'
import { type AnyTransaction, type Database, inTables } from '../db/types.ts'
import type { JobAttemptRow, JobRow, JobTables } from './tables.ts'

/** In the transaction that claims the job. */
export const beginAttempt = async (trx: AnyTransaction, row: JobRow, now: number): Promise<void> => {
  await inTables<JobTables>(trx)
    .insertInto('job_attempts')
    .values({
      job_id: row.id,
      fence: row.fence,
      kind: row.kind,
      attempt: row.attempts,
      process: row.owner ?? '',
      started_at: now,
      finished_at: null,
      outcome: 'running',
      code: null,
    })
    .execute()
}

/** In the transaction that ends the claim; `row` is the job as it was claimed. */
export const endAttempt = async (
  trx: AnyTransaction,
  row: Pick<JobRow, 'id' | 'fence'>,
  end: { readonly outcome: JobAttempt['outcome']; readonly code: string | null; readonly now: number },
): Promise<void> => {
  await inTables<JobTables>(trx)
    .updateTable('job_attempts')
    .set({ outcome: end.outcome, code: end.code, finished_at: end.now })
    .where('job_id', '=', row.id)
    .where('fence', '=', row.fence)
    .where('finished_at', 'is', null)
    .execute()
}

/** What became of the tries of a kind that ended since a time. */
export interface JobRate {
  readonly kind: string
  readonly outcome: JobAttempt['outcome']
  readonly count: number
  /** Of all of them together. */
  readonly totalMs: number
}

export type JobAttemptStore = ReturnType<typeof createJobAttemptStore>

export const createJobAttemptStore = (database: Database) => {
  const tables = database.tables<JobTables>()
  return {
    /** Newest first. */
    list: (jobId: string, limit: number): Promise<JobAttemptRow[]> =>
      tables
        .selectFrom('job_attempts')
        .selectAll()
        .where('job_id', '=', jobId)
        .orderBy('fence', 'desc')
        .limit(limit)
        .execute(),

    rates: async (since: number): Promise<JobRate[]> => {
      const rows = await tables
        .selectFrom('job_attempts')
        .select((eb) => [
          'kind',
          'outcome',
          eb.fn.countAll<number>().as('count'),
          eb.fn.sum<number>(eb('finished_at', '-', eb.ref('started_at'))).as('total'),
        ])
        .where('finished_at', '>=', since)
        .groupBy(['kind', 'outcome'])
        .execute()
      return rows.map(({ kind, outcome, count, total }) => ({
        kind,
        outcome,
        count: Number(count),
        totalMs: Number(total),
      }))
    },

    /** What runs, with the time at which this try of it began. */
    running: (limit: number): Promise<(Pick<JobRow, 'id' | 'kind' | 'owner'> & { begun: number | null })[]> =>
      tables
        .selectFrom('jobs')
        .leftJoin('job_attempts', (on) =>
          on.onRef('job_attempts.job_id', '=', 'jobs.id').onRef('job_attempts.fence', '=', 'jobs.fence'),
        )
        .select(['jobs.id', 'jobs.kind', 'jobs.owner', 'job_attempts.started_at as begun'])
        .where('jobs.state', '=', 'running')
        .orderBy('jobs.id')
        .limit(limit)
        .execute(),

    /** Those of recurring jobs, which never end. */
    removeRecurring: async (before: number): Promise<void> => {
      await tables
        .deleteFrom('job_attempts')
        .where('finished_at', '<', before)
        .where('job_id', 'in', (eb) =>
          eb.selectFrom('jobs').select('jobs.id').where('jobs.interval_ms', 'is not', null),
        )
        .execute()
    },
  }
}

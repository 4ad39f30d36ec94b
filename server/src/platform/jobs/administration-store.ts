/** The statements about jobs of everybody, and how administrators see them: never what they are about. */
import type { InstanceJob } from '@atrium/contract/durable-jobs'
import { type ErrorCode, errors } from '@atrium/contract/errors'
import { type AnyTransaction, type Database, inTables } from '../db/types.ts'
import type { JobRow, JobTables } from './tables.ts'
import type { JobCounts } from './types.ts'

export type JobAdministrationStore = ReturnType<typeof createJobAdministrationStore>

export const createJobAdministrationStore = (database: Database) => {
  const tables = database.tables<JobTables>()
  return {
    /** Whosever it is. */
    find: (id: string): Promise<JobRow | undefined> =>
      tables.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst(),

    /**
     * Queues a failed job again with all of its tries, under the key that it had. Nothing when it is not failed any
     * more, or when another job has that key by now.
     */
    retry: (trx: AnyTransaction, id: string, now: number): Promise<JobRow | undefined> =>
      inTables<JobTables>(trx)
        .updateTable('jobs')
        .set((eb) => ({
          state: 'queued' as const,
          due_at: now,
          attempts: 0,
          cancel_requested: 0,
          progress: null,
          failure_code: null,
          failure_detail: null,
          started_at: null,
          finished_at: null,
          fence: eb('fence', '+', 1),
          dedupe: eb.fn.coalesce('former_dedupe', 'dedupe'),
          former_dedupe: null,
        }))
        .where('id', '=', id)
        .where('state', '=', 'failed')
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(selectFrom('jobs as newer').select('newer.id').whereRef('newer.dedupe', '=', 'jobs.former_dedupe')),
          ),
        )
        .returningAll()
        .executeTakeFirst(),

    /** By kind, for kinds that have any job that waits, runs or failed. */
    count: async (now: number): Promise<JobCounts[]> => {
      const rows = await tables
        .selectFrom('jobs')
        .select(['kind', 'state'])
        .select((eb) => [
          eb.fn.countAll<number>().as('all'),
          eb.fn.sum<number>(eb.case().when('due_at', '<=', now).then(1).else(0).end()).as('due'),
          eb.fn.min<number>('due_at').as('oldest'),
        ])
        .where('state', 'in', ['queued', 'running', 'failed'])
        .groupBy(['kind', 'state'])
        .orderBy('kind')
        .execute()
      return [...Map.groupBy(rows, ({ kind }) => kind)].map(([kind, some]) => {
        const of = (state: JobRow['state']) => some.find((row) => row.state === state)
        const queued = of('queued')
        const due = Number(queued?.due ?? 0)
        return {
          kind,
          due,
          queued: Number(queued?.all ?? 0),
          running: Number(of('running')?.all ?? 0),
          failed: Number(of('failed')?.all ?? 0),
          oldestDueAt: queued && due > 0 ? Number(queued.oldest) : null,
        }
      })
    },
  }
}

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

const timeOf = (ms: number): string => new Date(ms).toISOString()

/** The statements about jobs of everybody, and about kinds that are paused. */
import { type AnyTransaction, type Database, inTables } from '../db/types.ts'
import { offerHead } from './heads-store.ts'
import type { JobRow, JobTables } from './tables.ts'
import type { JobCounts } from './types.ts'

export type JobAdministrationStore = ReturnType<typeof createJobAdministrationStore>

export const createJobAdministrationStore = (database: Database) => {
  const tables = database.tables<JobTables>()
  return {
    /** Whosever it is. */
    find: (id: string): Promise<JobRow | undefined> =>
      tables.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst(),

    recurring: (): Promise<JobRow[]> =>
      tables.selectFrom('jobs').selectAll().where('interval_ms', 'is not', null).orderBy('kind').execute(),

    /**
     * Queues a failed job again with all of its tries, under the key that it had. Nothing when it is not failed any
     * more, or when another job has that key by now.
     */
    retry: async (trx: AnyTransaction, id: string, now: number): Promise<JobRow | undefined> => {
      const row = await inTables<JobTables>(trx)
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
        .executeTakeFirst()
      if (row) await offerHead(trx, row)
      return row
    },

    /** Removes a job that failed; nothing when it has not, or not any more. */
    dismiss: (trx: AnyTransaction, id: string): Promise<JobRow | undefined> =>
      inTables<JobTables>(trx)
        .deleteFrom('jobs')
        .where('id', '=', id)
        .where('state', '=', 'failed')
        .returningAll()
        .executeTakeFirst(),

    /** Makes a recurring job due; nothing when it runs just now. */
    runNow: async (trx: AnyTransaction, id: string, now: number): Promise<JobRow | undefined> => {
      const row = await inTables<JobTables>(trx)
        .updateTable('jobs')
        .set((eb) => ({ due_at: eb.case().when('due_at', '>', now).then(now).else(eb.ref('due_at')).end() }))
        .where('id', '=', id)
        .where('state', '=', 'queued')
        .where('interval_ms', 'is not', null)
        .returningAll()
        .executeTakeFirst()
      if (row) await offerHead(trx, row)
      return row
    },

    pauses: async (): Promise<ReadonlyMap<string, number>> => {
      const rows = await tables.selectFrom('job_pauses').selectAll().execute()
      return new Map(rows.map(({ kind, paused_at }) => [kind, Number(paused_at)]))
    },
    /** Whether it was not paused before. */
    pause: async (kind: string, now: number): Promise<boolean> => {
      const made = await tables
        .insertInto('job_pauses')
        .values({ kind, paused_at: now })
        .onConflict((on) => on.column('kind').doNothing())
        .returning('kind')
        .executeTakeFirst()
      return made !== undefined
    },
    /** Whether it was paused before. */
    resume: async (kind: string): Promise<boolean> => {
      const gone = await tables.deleteFrom('job_pauses').where('kind', '=', kind).returning('kind').executeTakeFirst()
      return gone !== undefined
    },

    /** By kind, for kinds that have any job that waits, runs or failed, and for those that are paused. */
    count: async (now: number, pauses: ReadonlyMap<string, number>): Promise<JobCounts[]> => {
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
        .execute()
      const byKind = Map.groupBy(rows, ({ kind }) => kind)
      return [...new Set([...byKind.keys(), ...pauses.keys()])].toSorted().map((kind) => {
        const of = (state: JobRow['state']) => byKind.get(kind)?.find((row) => row.state === state)
        const queued = of('queued')
        const due = Number(queued?.due ?? 0)
        return {
          kind,
          due,
          queued: Number(queued?.all ?? 0),
          running: Number(of('running')?.all ?? 0),
          failed: Number(of('failed')?.all ?? 0),
          oldestDueAt: queued && due > 0 ? Number(queued.oldest) : null,
          pausedAt: pauses.get(kind) ?? null,
        }
      })
    },
  }
}

/** What is due in the queue, and whose turn it is. */
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../db/types.ts'
import type { Waiting } from './rules.ts'
import type { JobHeadRow, JobTables } from './tables.ts'

/** What of the queue concerns all processes. */
export interface QueueState {
  /** Kinds that are not begun now. */
  readonly paused: ReadonlySet<string>
  /** How many run in all processes, by kind. */
  readonly running: ReadonlyMap<string, number>
  /** How many run for an account, empty for the instance; those with none are not there. */
  readonly busy: ReadonlyMap<string, number>
}

export type Queue = ReturnType<typeof createQueue>

export const createQueue = (database: Database) => {
  const tables = database.tables<JobTables>()

  return {
    state: async (): Promise<QueueState> => {
      const pauses = await tables.selectFrom('job_pauses').select('kind').execute()
      const runs = await tables
        .selectFrom('jobs')
        .select((eb) => ['share', 'kind', eb.fn.countAll<number>().as('count')])
        .where('state', '=', 'running')
        .groupBy(['share', 'kind'])
        .execute()
      const sum = (by: 'share' | 'kind') => {
        const counts = new Map<string, number>()
        for (const run of runs) counts.set(run[by], (counts.get(run[by]) ?? 0) + Number(run.count))
        return counts
      }
      return { paused: new Set(pauses.map(({ kind }) => kind)), running: sum('kind'), busy: sum('share') }
    },

    /** The heads of what is due; see `waitingQuery`. */
    waiting: async (
      kinds: readonly string[],
      busy: QueueState['busy'],
      now: number,
      limit: number,
    ): Promise<readonly Waiting[]> => {
      const { rows } = await waitingQuery(kinds, [...busy.keys()], now, limit).execute(tables)
      return rows.map(({ share, kind, due_at }) => ({ share, kind, dueAt: due_at, running: busy.get(share) ?? 0 }))
    },

    /** When the next job of these kinds is due. */
    nextDue: async (kinds: readonly string[]): Promise<number | null> => {
      const heads = kinds.map((kind) => sql`select (select min(due_at) from job_heads where kind = ${kind}) as due`)
      const { rows } = await sql<{ due: number | null }>`
        select min(due) as due from (${sql.join(heads, sql` union all `)}) next`.execute(tables)
      return rows[0]?.due ?? null
    },
  }
}

/**
 * The first `limit` heads of each kind among the accounts for which nothing runs, and all of the few for which something
 * does. It reads them in the order of their times and stops there, so that it costs the same however many accounts wait.
 */
export const waitingQuery = (
  kinds: readonly string[],
  busy: readonly string[],
  now: number,
  limit: number,
): RawBuilder<JobHeadRow> => {
  const shares = sql.join(busy)
  const idle = busy.length === 0 ? sql`` : sql`and share not in (${shares})`
  const first = kinds.map(
    (kind) => sql`
      select share, kind, due_at from (
        select share, kind, due_at from job_heads where kind = ${kind} and due_at <= ${now} ${idle}
        order by due_at, share limit ${limit}
      ) free`,
  )
  if (busy.length > 0)
    first.push(sql`
      select share, kind, due_at from job_heads
      where share in (${shares}) and kind in (${sql.join(kinds)}) and due_at <= ${now}`)
  return sql.join<JobHeadRow>(first, sql` union all `)
}

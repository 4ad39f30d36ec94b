/** What is due in the queue, and whose turn it is. */
import { sql } from 'kysely'
import type { Database } from '../db/types.ts'
import type { JobTables } from './tables.ts'

export interface Candidate {
  readonly id: string
  readonly kind: string
  readonly account_id: string | null
}

export type Queue = ReturnType<typeof createQueue>

export const createQueue = (database: Database) => {
  const tables = database.tables<JobTables>()

  return {
    /**
     * The oldest due job of every account that has one; accounts with the least running come first, then older jobs.
     * It walks the index from account to account, so that a long queue costs no more than a short one.
     */
    candidates: async (kinds: readonly string[], now: number, limit: number): Promise<readonly Candidate[]> => {
      const { rows } = await sql<Candidate>`
        with recursive shares (share) as (
          select (select min(share) from jobs where state = 'queued')
          union all
          select (select min(j.share) from jobs j where j.state = 'queued' and j.share > s.share)
          from shares s where s.share is not null
        ), heads (id) as (
          select (
            select j.id from jobs j
            where j.state = 'queued' and j.share = s.share and j.due_at <= ${now} and j.kind in (${sql.join(kinds)})
            order by j.due_at, j.id limit 1
          ) from shares s where s.share is not null
        ), busy (share, running) as (
          select share, count(*) from jobs where state = 'running' group by share
        )
        select jobs.id, jobs.kind, jobs.account_id from heads
        join jobs on jobs.id = heads.id
        left join busy on busy.share = jobs.share
        order by coalesce(busy.running, 0), jobs.due_at, jobs.id
        limit ${limit}`.execute(tables)
      return rows
    },

    /** When the next job of these kinds is due. */
    nextDue: async (kinds: readonly string[]): Promise<number | null> => {
      const row = await tables
        .selectFrom('jobs')
        .select((eb) => eb.fn.min<number | null>('due_at').as('due'))
        .where('state', '=', 'queued')
        .where('kind', 'in', kinds)
        .executeTakeFirst()
      return row?.due ?? null
    },
  }
}

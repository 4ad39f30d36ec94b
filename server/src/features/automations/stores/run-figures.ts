/** How many runs there are, and what they took. Times are integer milliseconds. */
import type { RunTrigger } from '@atrium/contract/automations'
import { sql } from 'kysely'
import type { Database } from '../../../platform/db/types.ts'
import type { MonthSum } from '../costs.ts'
import type { AutomationTables } from '../tables.ts'

const quarterMs = 15 * 60_000

export const createRunFigures = (database: Database) => {
  const tables = database.tables<AutomationTables>()

  return {
    /** What the runs of automations took since a time; those without runs are left out. Of two currencies the last one counts. */
    async sumSince(automationIds: readonly string[], since: number): Promise<Map<string, MonthSum>> {
      if (automationIds.length === 0) return new Map()
      const rows = await tables
        .selectFrom('automation_runs')
        .select(['automation_id', 'currency'])
        .select((by) => [
          by.fn.sum<number>('cost').as('cost'),
          // Not while they waited for their owner.
          sql<number>`sum(case when ended_at is null then 0 else ended_at - started_at - waited_ms end)`.as('ms'),
          by.fn.max('created_at').as('last'),
        ])
        .where('automation_id', 'in', automationIds)
        .where('created_at', '>=', since)
        .groupBy(['automation_id', 'currency'])
        .execute()
      const sums = new Map<string, MonthSum>()
      for (const row of rows.toSorted((a, b) => Number(a.last) - Number(b.last))) {
        const before = sums.get(row.automation_id)
        const ms = (before?.ms ?? 0) + Number(row.ms ?? 0)
        const isPriced = row.currency !== null
        sums.set(row.automation_id, {
          ms,
          cost: isPriced ? Number(row.cost ?? 0) : (before?.cost ?? 0),
          currency: isPriced ? row.currency : (before?.currency ?? null),
        })
      }
      return sums
    },

    /** How many runs something started since a time. */
    async countStarted(automationId: string, by: RunTrigger, since: number): Promise<number> {
      const { count } = await tables
        .selectFrom('automation_runs')
        .select((each) => each.fn.countAll<number>().as('count'))
        .where('automation_id', '=', automationId)
        .where('started_by', '=', by)
        .where('created_at', '>', since)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    async countUnseen(accountId: string): Promise<number> {
      const { count } = await tables
        .selectFrom('automation_runs')
        .select((by) => by.fn.countAll<number>().as('count'))
        .where('account_id', '=', accountId)
        .where('seen', '=', 0)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    /** How many runs ended well and badly, by quarters of an hour since a time: days of every zone begin at one. */
    async countEnds(accountId: string, since: number) {
      const quarter = sql<number>`ended_at / ${sql.lit(quarterMs)}`
      const rows = await tables
        .selectFrom('automation_runs')
        .select(['state', quarter.as('quarter'), (by) => by.fn.countAll<number>().as('count')])
        .where('account_id', '=', accountId)
        .where('ended_at', '>=', since)
        .where('state', 'in', ['succeeded', 'failed'])
        .groupBy(['state', quarter])
        .execute()
      return rows.map(({ state, quarter: at, count }) => ({
        at: Math.floor(Number(at)) * quarterMs,
        succeeded: state === 'succeeded' ? Number(count) : 0,
        failed: state === 'failed' ? Number(count) : 0,
      }))
    },
  }
}

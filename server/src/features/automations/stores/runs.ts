/** Runs in the database. Times are integer milliseconds. */
import { type AutomationRun, type RunState, type RunTrigger } from '@atrium/contract/automations'
import { sql } from 'kysely'
import { createdBefore, creationKey, cutPage } from '../../../platform/db/cursor.ts'
import type { Database } from '../../../platform/db/types.ts'
import { toIsoTime, toIsoTimeOrNull } from '../../../platform/iso-time.ts'
import { type MonthSum, toCost } from '../costs.ts'
import type { AutomationTables, RunRow } from '../tables.ts'

export type RunStore = ReturnType<typeof createRunStore>

export const rowToRun = (row: RunRow): AutomationRun => ({
  id: row.id,
  automationId: row.automation_id,
  state: row.state,
  trigger: row.started_by,
  scheduledFor: toIsoTime(row.scheduled_for),
  startedAt: toIsoTimeOrNull(row.started_at),
  endedAt: toIsoTimeOrNull(row.ended_at),
  tries: row.tries,
  reason: row.reason,
  inputTokens: row.input_tokens,
  outputTokens: row.output_tokens,
  cost: toCost(row),
  sessionId: row.session_id,
  messageId: row.message_id,
  seen: row.seen === 1,
})

/** A run that has not begun. */
export const newRun = (
  given: Pick<
    RunRow,
    'id' | 'automation_id' | 'account_id' | 'occurrence' | 'started_by' | 'scheduled_for' | 'created_at'
  > &
    Partial<RunRow>,
): RunRow => ({
  state: 'queued',
  due_at: given.created_at,
  dispatches: 0,
  dispatched: 0,
  started_at: null,
  deadline_at: null,
  ended_at: null,
  tries: 0,
  reason: null,
  payload: null,
  session_id: null,
  message_id: null,
  generation_id: null,
  // There is nothing to see yet.
  seen: 1,
  depth: 1,
  input_tokens: null,
  output_tokens: null,
  cost: null,
  currency: null,
  waiting_since: null,
  waited_ms: 0,
  ...given,
})

export const createRunStore = (database: Database) => {
  const tables = database.tables<AutomationTables>()
  const all = () => tables.selectFrom('automation_runs').selectAll()

  return {
    /** Of an account, newest first. Refuses with `bad_cursor`. */
    async page(
      accountId: string,
      query: {
        automationId?: string | undefined
        state?: RunState | undefined
        limit: number
        cursor?: string | undefined
      },
    ) {
      const rows = await all()
        .where('account_id', '=', accountId)
        .$if(query.automationId !== undefined, (of) => of.where('automation_id', '=', query.automationId ?? ''))
        .$if(query.state !== undefined, (of) => of.where('state', '=', query.state ?? 'queued'))
        .$if(query.cursor !== undefined, (of) => of.where(createdBefore(query.cursor ?? '')))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(query.limit + 1)
        .execute()
      return cutPage(rows, query.limit, creationKey)
    },

    /** `accountId`: null for whomever. */
    async read(id: string, accountId: string | null): Promise<RunRow | null> {
      const row = await all()
        .where('id', '=', id)
        .$if(accountId !== null, (query) => query.where('account_id', '=', accountId ?? ''))
        .executeTakeFirst()
      return row ?? null
    },

    /** The run that a chat was made for; null: there is none. */
    async ofSession(sessionId: string): Promise<RunRow | null> {
      const row = await all()
        .where('session_id', '=', sessionId)
        .orderBy('created_at', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row ?? null
    },

    /** The run that an answer is written for; null: none. */
    async ofAnswer(sessionId: string, messageId: string): Promise<RunRow | null> {
      const row = await all()
        .where('session_id', '=', sessionId)
        .where('message_id', '=', messageId)
        .limit(1)
        .executeTakeFirst()
      return row ?? null
    },

    async readMany(ids: readonly string[]): Promise<RunRow[]> {
      return ids.length === 0 ? [] : all().where('id', 'in', ids).execute()
    },

    async ofOccurrence(automationId: string, occurrence: string): Promise<RunRow | null> {
      const row = await all()
        .where('automation_id', '=', automationId)
        .where('occurrence', '=', occurrence)
        .executeTakeFirst()
      return row ?? null
    },

    /** Those that wait and are due, of everybody, and have no job. */
    undispatched: (now: number, limit: number, offset: number): Promise<RunRow[]> =>
      all()
        .where('state', '=', 'queued')
        .where('due_at', '<=', now)
        .where('dispatched', '=', 0)
        .orderBy('due_at')
        .orderBy('id')
        .limit(limit)
        .offset(offset)
        .execute(),

    /** When the next one that waits is due. */
    async nextDue(): Promise<number | null> {
      const row = await tables
        .selectFrom('automation_runs')
        .select((by) => by.fn.min('due_at').as('next'))
        .where('state', '=', 'queued')
        .where('dispatched', '=', 0)
        .executeTakeFirst()
      return row?.next == null ? null : Number(row.next)
    },

    /** A job was made for these; not of what is to get another one meanwhile. */
    async markDispatched(runs: readonly Pick<RunRow, 'id' | 'dispatches'>[]): Promise<void> {
      if (runs.length === 0) return
      await tables
        .updateTable('automation_runs')
        .set({ dispatched: 1 })
        .where((by) => by.or(runs.map(({ id, dispatches }) => by.and({ id, dispatches }))))
        .execute()
    },

    /** Those that go on, of everybody, from an id on. */
    running: (after: string, limit: number): Promise<RunRow[]> =>
      all().where('state', 'in', ['running', 'waiting']).where('id', '>', after).orderBy('id').limit(limit).execute(),

    /** Whether something of an account goes on, or waits for its owner. */
    async hasOpen(accountId: string): Promise<boolean> {
      const row = await tables
        .selectFrom('automation_runs')
        .select('id')
        .where('account_id', '=', accountId)
        .where('state', 'in', ['running', 'waiting'])
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },

    /** Waiting ones whose job should have begun them long ago are given another one; gives how many. */
    async redispatch(before: number): Promise<number> {
      const rows = await tables
        .updateTable('automation_runs')
        .set((by) => ({ dispatched: 0, dispatches: by('dispatches', '+', 1) }))
        .where('state', '=', 'queued')
        .where('dispatched', '=', 1)
        .where('due_at', '<', before)
        .returning('id')
        .execute()
      return rows.length
    },

    /** Gives the run as it is then; null: it does not go on any more, or in another try. */
    async attachAnswer(
      { id, tries }: Pick<RunRow, 'id' | 'tries'>,
      answer: Pick<RunRow, 'session_id' | 'message_id' | 'generation_id'>,
    ): Promise<RunRow | null> {
      const row = await tables
        .updateTable('automation_runs')
        .set(answer)
        .where('id', '=', id)
        .where('tries', '=', tries)
        .where('state', '=', 'running')
        .returningAll()
        .executeTakeFirst()
      return row ?? null
    },

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

    async markSeen(accountId: string): Promise<number> {
      const rows = await tables
        .updateTable('automation_runs')
        .set({ seen: 1 })
        .where('account_id', '=', accountId)
        .where('seen', '=', 0)
        .returning('id')
        .execute()
      return rows.length
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

    /** Removes runs that ended before a time, but for the newest ones of each automation. */
    async removeOld(before: number, kept: number): Promise<void> {
      const old = await tables
        .selectFrom('automation_runs')
        .select('automation_id')
        .distinct()
        .where('ended_at', '<', before)
        .execute()
      for (const { automation_id } of old) {
        const oldest = await tables
          .selectFrom('automation_runs')
          .select('created_at')
          .where('automation_id', '=', automation_id)
          .orderBy('created_at', 'desc')
          .orderBy('id', 'desc')
          .offset(kept - 1)
          .limit(1)
          .executeTakeFirst()
        if (!oldest) continue
        await tables
          .deleteFrom('automation_runs')
          .where('automation_id', '=', automation_id)
          .where('ended_at', '<', before)
          .where('created_at', '<', oldest.created_at)
          .execute()
      }
    },
  }
}

const quarterMs = 15 * 60_000

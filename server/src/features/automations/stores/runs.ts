/** Runs in the database. Times are integer milliseconds. */
import type { AutomationRun, RunState } from '@atrium/contract/automations'
import { createdBefore, creationKey, cutPage } from '../../../platform/db/cursor.ts'
import type { Database } from '../../../platform/db/types.ts'
import { toIsoTime, toIsoTimeOrNull } from '../../../platform/iso-time.ts'
import { toCost } from '../costs.ts'
import type { AutomationTables, RunRow } from '../tables.ts'
import { createRunFigures } from './run-figures.ts'
import { createRunQueue } from './run-queue.ts'

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
    ...createRunQueue(database),
    ...createRunFigures(database),

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

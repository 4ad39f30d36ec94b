/** Every SQL statement about how often tools were called: sums for each account, day and tool. */
import type { Transaction } from 'kysely'
import { type AnyTransaction, type Database, inTables } from '../../../platform/db/types.ts'
import type { ToolsTables, ToolUsageRow } from '../tables.ts'
import type { CallRecord } from './call-records.ts'

const dayMs = 24 * 3600_000
const keptDays = 400

/** What a call is counted under. */
type CountedTool = Pick<ToolUsageRow, 'account_id' | 'tool_id' | 'tool_name' | 'source' | 'server_id'>

export const countedOf = ({ accountId, toolId, toolName, source, serverId }: CallRecord): CountedTool => ({
  account_id: accountId,
  tool_id: toolId,
  tool_name: toolName,
  source,
  server_id: serverId,
})

export interface UsageSums extends Pick<ToolUsageRow, 'tool_id' | 'tool_name' | 'source' | 'server_id'> {
  readonly calls: number
  readonly succeeded: number
  readonly failed: number
  readonly durationMs: number
  readonly accounts: number
}

export type ToolUsageStore = ReturnType<typeof createToolUsageStore>

export const createToolUsageStore = (database: Database) => {
  const tables = () => database.tables<ToolsTables>()
  const dayOf = (at: number): number => Math.floor(at / dayMs)

  /** Adds to the sums of the day of `at`, which is that of the call. */
  const add = async (
    trx: Transaction<ToolsTables>,
    { account_id, tool_id, tool_name, source, server_id }: CountedTool,
    at: number,
    sums: Pick<ToolUsageRow, 'calls' | 'succeeded' | 'failed' | 'duration_ms'>,
  ): Promise<void> => {
    await trx
      .insertInto('tool_usage')
      .values({ account_id, tool_id, tool_name, source, server_id, day: dayOf(at), ...sums })
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'day', 'tool_id']).doUpdateSet((by) => ({
          tool_name,
          calls: by('tool_usage.calls', '+', sums.calls),
          succeeded: by('tool_usage.succeeded', '+', sums.succeeded),
          failed: by('tool_usage.failed', '+', sums.failed),
          duration_ms: by('tool_usage.duration_ms', '+', sums.duration_ms),
        })),
      )
      .execute()
  }

  return {
    begin: (trx: AnyTransaction, tool: CountedTool, at: number): Promise<void> =>
      add(inTables<ToolsTables>(trx), tool, at, { calls: 1, succeeded: 0, failed: 0, duration_ms: 0 }),

    /** Of a call that was counted as it began, at `at`, and ran. */
    async end(
      trx: AnyTransaction,
      tool: CountedTool,
      at: number,
      { failed, durationMs }: { readonly failed: boolean; readonly durationMs: number },
    ): Promise<void> {
      const ended = { succeeded: failed ? 0 : 1, failed: failed ? 1 : 0 }
      await add(inTables<ToolsTables>(trx), tool, at, { calls: 0, ...ended, duration_ms: Math.round(durationMs) })
    },

    /** Of an account, or of all (null), since so many days, the most called first. */
    async sums(accountId: string | null, days: number, now: number): Promise<UsageSums[]> {
      const rows = await tables()
        .selectFrom('tool_usage')
        .select((by) => [
          'tool_id',
          'source',
          'server_id',
          by.fn.max('tool_name').as('tool_name'),
          by.fn.sum<number | string>('calls').as('calls'),
          by.fn.sum<number | string>('succeeded').as('succeeded'),
          by.fn.sum<number | string>('failed').as('failed'),
          by.fn.sum<number | string>('duration_ms').as('duration_ms'),
          by.fn.count<number | string>('account_id').distinct().as('accounts'),
        ])
        .where('day', '>', dayOf(now) - days)
        .$if(accountId !== null, (query) => query.where('account_id', '=', accountId ?? ''))
        .groupBy(['tool_id', 'source', 'server_id'])
        .orderBy('calls', 'desc')
        .orderBy('tool_id')
        .limit(500)
        .execute()
      return rows.map(({ tool_id, tool_name, source, server_id, ...sums }) => ({
        tool_id,
        tool_name: tool_name ?? tool_id,
        source,
        server_id,
        calls: Number(sums.calls),
        succeeded: Number(sums.succeeded),
        failed: Number(sums.failed),
        durationMs: Number(sums.duration_ms),
        accounts: Number(sums.accounts),
      }))
    },

    async removeOld(now: number): Promise<void> {
      await tables()
        .deleteFrom('tool_usage')
        .where('day', '<', dayOf(now) - keptDays)
        .execute()
    },

    async removeAccount(accountId: string): Promise<void> {
      await tables().deleteFrom('tool_usage').where('account_id', '=', accountId).execute()
    },
  }
}

/** Every statement that writes calls and their sums, or takes old ones away. */
import { type CompiledQuery, type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../../platform/db/types.ts'
import { dayMs } from '../days.ts'
import type { UsageEventRow, UsageFailureRow, UsageLatencyRow, UsageSumRow, UsageTables } from '../tables.ts'

/** What some calls add to the tables, each sum once. */
export interface EventBatch {
  /** Of the first call: names the batch. */
  readonly id: string
  readonly events: readonly UsageEventRow[]
  readonly sums: readonly UsageSumRow[]
  readonly latencies: readonly UsageLatencyRow[]
  readonly failures: readonly UsageFailureRow[]
}

export type EventStore = ReturnType<typeof createEventStore>

export const createEventStore = (database: Database, processId: string) => {
  const tables = database.tables<UsageTables>()
  const templates = new Map<string, CompiledQuery>()

  /** Inserts rows in three sizes of statement only, so that each is compiled once, here and in the database. */
  const insert = async <K extends 'usage_events' | 'usage_sums' | 'usage_latencies' | 'usage_failures'>(
    trx: Transaction<UsageTables>,
    table: K,
    columns: readonly (keyof UsageTables[K] & string)[],
    rows: readonly UsageTables[K][],
  ): Promise<void> => {
    let at = 0
    for (const size of [200, 20, 1]) {
      const name = `${table} ${size}`
      for (; rows.length - at >= size; at += size) {
        let template = templates.get(name)
        if (!template) {
          template = compiled(trx, table, columns, rows.slice(at, at + size))
          templates.set(name, template)
        }
        const parameters: unknown[] = []
        for (let i = at; i < at + size; i++) for (const column of columns) parameters.push(rows[i]?.[column])
        await trx.executeQuery({ ...template, parameters })
      }
    }
  }

  /** Remembers the batch as the last one of this process; false where it was that already. */
  const isNew = async (trx: Transaction<UsageTables>, value: string): Promise<boolean> => {
    const changed = await trx
      .insertInto('usage_state')
      .values({ name: `${batchPrefix}${processId}`, value })
      .onConflict((on) => on.column('name').doUpdateSet({ value }).where('usage_state.value', '!=', value))
      .returning('name')
      .execute()
    return changed.length > 0
  }

  return {
    /**
     * Writes calls and all their sums, or nothing. What is there already is not written again: it fails on a call that has
     * a row, and leaves out a batch without such rows that this process wrote last.
     */
    write: (batch: EventBatch): Promise<void> =>
      database.write<UsageTables, void>(async (trx) => {
        if (batch.events.length === 0 && !(await isNew(trx, batch.id))) return
        await insert(trx, 'usage_events', eventColumns, batch.events)
        await insert(trx, 'usage_sums', sumColumns, batch.sums)
        await insert(trx, 'usage_latencies', latencyColumns, batch.latencies)
        await insert(trx, 'usage_failures', failureColumns, batch.failures)
      }),

    /** When old calls were last taken away, in any process. */
    async prunedAt(): Promise<number> {
      const row = await tables
        .selectFrom('usage_state')
        .select('value')
        .where('name', '=', 'pruned-at')
        .executeTakeFirst()
      return Number(row?.value ?? 0)
    },

    /** Takes away what is older, a few thousand at a time; remembers that it was done. */
    async prune(before: number, now: number): Promise<void> {
      const value = String(now)
      await tables
        .insertInto('usage_state')
        .values({ name: 'pruned-at', value })
        .onConflict((on) => on.column('name').doUpdateSet({ value }))
        .execute()
      for (;;) {
        const { numDeletedRows } = await tables
          .deleteFrom('usage_events')
          .where('id', 'in', (eb) =>
            eb.selectFrom('usage_events').select('id').where('created_at', '<', before).limit(2000),
          )
          .executeTakeFirstOrThrow()
        if (numDeletedRows < 2000n) break
      }
      const day = Math.floor(before / dayMs) * dayMs
      for (const span of ['day', 'quarter'] as const)
        await tables.deleteFrom('usage_sums').where('span', '=', span).where('start', '<', day).execute()
      for (const span of ['day', 'quarter'] as const)
        await tables.deleteFrom('usage_failures').where('span', '=', span).where('start', '<', day).execute()
      await tables.deleteFrom('usage_state').where('name', 'like', `${batchPrefix}%`).execute()
      await tables.deleteFrom('usage_latencies').where('day', '<', day).execute()
      await tables.deleteFrom('usage_budget_counters').where('period_start', '<', day).execute()
    },

    /** The account's own sums go; its calls stay in everybody's, without its id. */
    removeAccount: (accountId: string): Promise<void> =>
      database.write<UsageTables, void>(async (trx) => {
        await trx.deleteFrom('usage_sums').where('account_id', '=', accountId).execute()
        await trx.deleteFrom('usage_latencies').where('account_id', '=', accountId).execute()
        await trx.deleteFrom('usage_failures').where('account_id', '=', accountId).execute()
        await trx.deleteFrom('usage_owed_budget_notices').where('account_id', '=', accountId).execute()
        await trx.updateTable('usage_events').set({ user_id: '' }).where('user_id', '=', accountId).execute()
      }),

    /** Calls of a stretch of time, oldest first; after a place, for those who go through all of them. */
    calls(options: {
      since: number
      until: number
      pluginId?: string | undefined
      after?: { time: number; id: string } | undefined
      limit: number
    }): Promise<UsageEventRow[]> {
      const { since, until, pluginId, after, limit } = options
      let query = tables
        .selectFrom('usage_events')
        .selectAll()
        .where('created_at', '>=', Math.max(since, after?.time ?? 0))
        .where('created_at', '<', until)
        .orderBy('created_at')
        .orderBy('id')
        .limit(limit)
      if (pluginId !== undefined) query = query.where('plugin_id', '=', pluginId)
      if (after) {
        const { time, id } = after
        query = query.where((eb) =>
          eb.or([eb('created_at', '>', time), eb.and([eb('created_at', '=', time), eb('id', '>', id)])]),
        )
      }
      return query.execute()
    },

    /** Adds to what calls cost, in sums that exist; for calls that are priced again. */
    reprice: (changes: readonly UsageSumRow[]): Promise<void> =>
      database.write<UsageTables, void>((trx) => insert(trx, 'usage_sums', sumColumns, changes)),
  }
}

/** Names of `usage_state` under which processes keep the batch that they wrote last. */
const batchPrefix = 'batch '

const eventColumns = [
  'id',
  'plugin_id',
  'plugin_name',
  'capability',
  'model',
  'status',
  'prompt_tokens',
  'completion_tokens',
  'cached_tokens',
  'reasoning_tokens',
  'unit_kind',
  'input_units',
  'output_units',
  'duration_ms',
  'first_token_ms',
  'created_at',
  'user_id',
  'error_class',
  'film_seconds',
] as const satisfies readonly (keyof UsageEventRow)[]

const sumKey = ['account_id', 'span', 'start', 'plugin_id', 'model', 'capability', 'status'] as const
const added = [
  'calls',
  'metered_calls',
  'prompt_tokens',
  'completion_tokens',
  'cached_tokens',
  'reasoning_tokens',
  'input_units',
  'output_units',
  'duration_ms',
  'first_token_ms',
  'first_token_calls',
  'priced_calls',
  'cost',
] as const
const sumColumns = [...sumKey, 'plugin_name', 'unit_kind', ...added] as const satisfies readonly (keyof UsageSumRow)[]
const latencyKey = ['account_id', 'day', 'plugin_id', 'model', 'capability', 'measure', 'bucket'] as const
const latencyColumns = [...latencyKey, 'calls'] as const satisfies readonly (keyof UsageLatencyRow)[]

const failureKey = ['account_id', 'span', 'start', 'plugin_id', 'model', 'capability', 'error_class'] as const
const failureColumns = [...failureKey, 'calls'] as const satisfies readonly (keyof UsageFailureRow)[]

/** Columns that a row which is there already grows by, or takes over. */
const merges: Readonly<Record<string, { key: readonly string[]; grow: readonly string[]; take: readonly string[] }>> = {
  usage_sums: { key: sumKey, grow: added, take: ['plugin_name', 'unit_kind'] },
  usage_latencies: { key: latencyKey, grow: ['calls'], take: [] },
  usage_failures: { key: failureKey, grow: ['calls'], take: [] },
}

const compiled = (
  trx: Transaction<UsageTables>,
  table: string,
  columns: readonly string[],
  rows: readonly object[],
): CompiledQuery => {
  // The names come from the lists above; only their types are given up here.
  const any = trx as unknown as Kysely<Record<string, Record<string, unknown>>>
  const query = any
    .insertInto(table)
    .values(
      rows.map((row) =>
        Object.fromEntries(columns.map((column) => [column, (row as Record<string, unknown>)[column]])),
      ),
    )
  const merge = merges[table]
  if (!merge) return query.compile() as CompiledQuery
  const changes = [
    ...merge.grow.map((column) => [column, sql.raw(`${table}.${column} + excluded.${column}`)] as const),
    ...merge.take.map((column) => [column, sql.raw(`excluded.${column}`)] as const),
  ]
  return query
    .onConflict((on) => on.columns(merge.key as string[]).doUpdateSet(Object.fromEntries(changes)))
    .compile() as CompiledQuery
}

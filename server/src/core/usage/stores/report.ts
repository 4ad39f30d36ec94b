/** Every statement that reads sums. Integers are written into the SQL where it divides, as a bound number may be a float. */
import { type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../../../platform/db/types.ts'
import { dayMs, hourMs, type SumSpan } from '../days.ts'
import type { UsageFigures, UsageLatencyRow, UsageTables } from '../tables.ts'

/** Which calls are asked for. An empty account is everybody. */
export interface ReportFilter {
  readonly accountId: string
  readonly providerId?: string | undefined
  readonly model?: string | undefined
  readonly capability?: string | undefined
  readonly status?: string | undefined
}

/** Sums over one group; costs in billionths, as words. */
export interface SumFigures extends Omit<UsageFigures, 'cost'> {
  cost: string
}
export interface GroupSums extends SumFigures {
  plugin_id: string
  plugin_name: string
  model: string
  capability: string
  status: string
  unit_kind: string | null
}

export type ReportStore = ReturnType<typeof createReportStore>

export const createReportStore = (database: Database) => {
  const tables = database.tables<UsageTables>()
  return {
    /** What calls added up to, by model, capability and status. */
    groups: (pieces: readonly SumSpan[], filter: ReportFilter): Promise<GroupSums[]> =>
      tables
        .selectFrom('usage_sums')
        .select(['plugin_id', 'model', 'capability', 'status'])
        .select((eb) => [
          eb.fn.max<string>('plugin_name').as('plugin_name'),
          eb.fn.max<string | null>('unit_kind').as('unit_kind'),
        ])
        .select(summed)
        .where((eb) => eb.and([eb('account_id', '=', filter.accountId), within(eb, pieces), ...matching(eb, filter)]))
        .groupBy(['plugin_id', 'model', 'capability', 'status'])
        .orderBy('plugin_id')
        .orderBy('model')
        .execute(),

    /** The same by account and status; for everybody's accounts unless one is asked for. */
    accounts: (
      pieces: readonly SumSpan[],
      filter: ReportFilter,
    ): Promise<(SumFigures & { account_id: string; status: string })[]> =>
      tables
        .selectFrom('usage_sums')
        .select(['account_id', 'status'])
        .select(summed)
        .where((eb) =>
          eb.and([
            filter.accountId === '' ? eb('account_id', '!=', '') : eb('account_id', '=', filter.accountId),
            within(eb, pieces),
            ...matching(eb, filter),
          ]),
        )
        .groupBy(['account_id', 'status'])
        .execute(),

    /** Days of the asking person's calendar (counted from 1970), by status. */
    days: (
      range: { since: number; until: number; offsetMinutes: number },
      filter: ReportFilter,
    ): Promise<{ day: number; status: string; calls: number; tokens: number; priced_calls: number; cost: string }[]> =>
      tables
        .selectFrom('usage_sums')
        .select([dayOf(range.offsetMinutes).as('day'), 'status'])
        .select([
          sum('calls').as('calls'),
          sql<number>`sum(prompt_tokens + completion_tokens)`.as('tokens'),
          sum('priced_calls').as('priced_calls'),
          sql<string>`cast(sum(cost) as text)`.as('cost'),
        ])
        .where((eb) =>
          eb.and([
            eb('account_id', '=', filter.accountId),
            within(eb, [{ span: spanFor(range.offsetMinutes), since: range.since, until: range.until }]),
            ...matching(eb, filter),
          ]),
        )
        .groupBy([dayOf(range.offsetMinutes), 'status'])
        .execute(),

    /** Hours of a range, counted from its beginning, by status. */
    hours: (
      range: { since: number; until: number },
      filter: ReportFilter,
    ): Promise<{ hour: number; status: string; calls: number; tokens: number; priced_calls: number; cost: string }[]> =>
      tables
        .selectFrom('usage_sums')
        .select([hourOf(range.since).as('hour'), 'status'])
        .select([
          sum('calls').as('calls'),
          sql<number>`sum(prompt_tokens + completion_tokens)`.as('tokens'),
          sum('priced_calls').as('priced_calls'),
          sql<string>`cast(sum(cost) as text)`.as('cost'),
        ])
        .where((eb) =>
          eb.and([
            eb('account_id', '=', filter.accountId),
            within(eb, [{ span: 'quarter', since: range.since, until: range.until }]),
            ...matching(eb, filter),
          ]),
        )
        .groupBy([hourOf(range.since), 'status'])
        .execute(),

    /** Calls of every model on every day. */
    cells: (
      range: { since: number; until: number; offsetMinutes: number },
      filter: ReportFilter,
    ): Promise<{ day: number; plugin_id: string; plugin_name: string; model: string; calls: number }[]> =>
      tables
        .selectFrom('usage_sums')
        .select([dayOf(range.offsetMinutes).as('day'), 'plugin_id', 'model'])
        .select((eb) => [eb.fn.max<string>('plugin_name').as('plugin_name'), sum('calls').as('calls')])
        .where((eb) =>
          eb.and([
            eb('account_id', '=', filter.accountId),
            within(eb, [{ span: spanFor(range.offsetMinutes), since: range.since, until: range.until }]),
            ...matching(eb, filter),
          ]),
        )
        .groupBy([dayOf(range.offsetMinutes), 'plugin_id', 'model'])
        .orderBy('plugin_id')
        .orderBy('model')
        .execute(),

    /** How many successful calls took how long, by model. Whole days of UTC: the first and the last may reach further. */
    latencies: (
      range: { since: number; until: number },
      filter: ReportFilter,
    ): Promise<Pick<UsageLatencyRow, 'plugin_id' | 'model' | 'measure' | 'bucket' | 'calls'>[]> =>
      tables
        .selectFrom('usage_latencies')
        .select(['plugin_id', 'model', 'measure', 'bucket'])
        .select(sum('calls').as('calls'))
        .where((eb) => {
          const wanted = [
            eb('account_id', '=', filter.accountId),
            eb('day', '>=', Math.floor(range.since / dayMs) * dayMs),
            eb('day', '<', range.until),
          ]
          if (filter.providerId !== undefined) wanted.push(eb('plugin_id', '=', filter.providerId))
          if (filter.model !== undefined) wanted.push(eb('model', '=', filter.model))
          if (filter.capability !== undefined) wanted.push(eb('capability', '=', filter.capability))
          return eb.and(wanted)
        })
        .groupBy(['plugin_id', 'model', 'measure', 'bucket'])
        .execute(),

    /** For a table of days: everything apart, account by account. At most `limit` rows. */
    rows: (
      range: { since: number; until: number; offsetMinutes: number },
      filter: ReportFilter,
      limit: number,
    ): Promise<(GroupSums & { day: number; account_id: string })[]> =>
      tables
        .selectFrom('usage_sums')
        .select([dayOf(range.offsetMinutes).as('day'), 'account_id', 'plugin_id', 'model', 'capability', 'status'])
        .select((eb) => [
          eb.fn.max<string>('plugin_name').as('plugin_name'),
          eb.fn.max<string | null>('unit_kind').as('unit_kind'),
        ])
        .select(summed)
        .where((eb) =>
          eb.and([
            filter.accountId === '' ? eb('account_id', '!=', '') : eb('account_id', '=', filter.accountId),
            within(eb, [{ span: spanFor(range.offsetMinutes), since: range.since, until: range.until }]),
            ...matching(eb, filter),
          ]),
        )
        .groupBy([dayOf(range.offsetMinutes), 'account_id', 'plugin_id', 'model', 'capability', 'status'])
        .orderBy('day')
        .orderBy('account_id')
        .orderBy('plugin_id')
        .orderBy('model')
        .limit(limit)
        .execute(),

    /** Models whose calls have no price since a moment, the busiest first. */
    unpriced: (since: number): Promise<{ plugin_id: string; plugin_name: string; model: string; calls: number }[]> =>
      tables
        .selectFrom('usage_sums')
        .select(['plugin_id', 'model'])
        .select((eb) => [
          eb.fn.max<string>('plugin_name').as('plugin_name'),
          sql<number>`sum(calls - priced_calls)`.as('calls'),
        ])
        .where('account_id', '=', '')
        .where('span', '=', 'day')
        .where('start', '>=', since)
        .where('status', '!=', 'error')
        .groupBy(['plugin_id', 'model'])
        .having(sql<number>`sum(calls - priced_calls)`, '>', 0)
        .orderBy('calls', 'desc')
        .limit(50)
        .execute(),
  }
}

const spanFor = (offsetMinutes: number): SumSpan['span'] => (offsetMinutes % (24 * 60) === 0 ? 'day' : 'quarter')

type Builder = ExpressionBuilder<UsageTables, 'usage_sums'>

const within = (eb: Builder, pieces: readonly SumSpan[]): Expression<SqlBool> =>
  eb.or(
    pieces.map(({ span, since, until }) =>
      eb.and([eb('span', '=', span), eb('start', '>=', since), eb('start', '<', until)]),
    ),
  )

const matching = (eb: Builder, filter: ReportFilter): Expression<SqlBool>[] => {
  const wanted: Expression<SqlBool>[] = []
  if (filter.providerId !== undefined) wanted.push(eb('plugin_id', '=', filter.providerId))
  if (filter.model !== undefined) wanted.push(eb('model', '=', filter.model))
  if (filter.capability !== undefined) wanted.push(eb('capability', '=', filter.capability))
  if (filter.status !== undefined) wanted.push(eb('status', '=', filter.status))
  return wanted
}

const dayOf = (offsetMinutes: number): RawBuilder<number> =>
  sql<number>`(start + ${sql.raw(String(offsetMinutes * 60_000))}) / ${sql.raw(String(dayMs))}`

const hourOf = (since: number): RawBuilder<number> =>
  sql<number>`(start - ${sql.raw(String(since))}) / ${sql.raw(String(hourMs))}`

const sum = (column: string): RawBuilder<number> => sql<number>`sum(${sql.ref(column)})`

const summed = [
  sum('calls').as('calls'),
  sum('metered_calls').as('metered_calls'),
  sum('prompt_tokens').as('prompt_tokens'),
  sum('completion_tokens').as('completion_tokens'),
  sum('cached_tokens').as('cached_tokens'),
  sum('reasoning_tokens').as('reasoning_tokens'),
  sum('input_units').as('input_units'),
  sum('output_units').as('output_units'),
  sum('duration_ms').as('duration_ms'),
  sum('first_token_ms').as('first_token_ms'),
  sum('first_token_calls').as('first_token_calls'),
  sum('priced_calls').as('priced_calls'),
  sql<string>`cast(sum(cost) as text)`.as('cost'),
] as const

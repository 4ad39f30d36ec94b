/** Every statement that reads sums. Integers are written into the SQL where it divides, as a bound number may be a float. */
import { type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../../../platform/db/types.ts'
import { dayMs, hourMs, type SumSpan } from '../days.ts'
import type { UsageFigures, UsageLatencyRow, UsageTables } from '../tables.ts'

/** Which calls are asked for. An empty account is everybody. */
export interface ReportFilter {
  readonly accountId: string
  /** Only accounts that are in it now. */
  readonly groupId?: string | undefined
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

/** Who is in which group, as `select group_id, account_id`; null where there are no groups. */
export type Memberships = RawBuilder<{ group_id: string; account_id: string }> | null

export const createReportStore = (database: Database, memberships: Memberships = null) => {
  const tables = database.tables<UsageTables>()
  /** Whose rows are added up: those of everybody together, or account by account where a group is asked for. */
  const whose = (filter: ReportFilter): Expression<SqlBool> =>
    filter.groupId === undefined ? sql<SqlBool>`account_id = ${filter.accountId}` : single(filter)
  /** The rows of accounts, each by itself. */
  const single = ({ accountId, groupId }: ReportFilter): Expression<SqlBool> => {
    const one = accountId === '' ? sql<SqlBool>`account_id != ''` : sql<SqlBool>`account_id = ${accountId}`
    return groupId === undefined ? one : sql<SqlBool>`${one} and ${inGroup(groupId)}`
  }
  const inGroup = (groupId: string): Expression<SqlBool> =>
    memberships === null
      ? sql<SqlBool>`1 = 0`
      : sql<SqlBool>`account_id in (select account_id from (${memberships}) as members where group_id = ${groupId})`
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
        .where((eb) => eb.and([whose(filter), within(eb, pieces), ...matching(eb, filter)]))
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
        .where((eb) => eb.and([single(filter), within(eb, pieces), ...matching(eb, filter)]))
        .groupBy(['account_id', 'status'])
        .execute(),

    /** What calls of these accounts cost, in billionths. */
    async spent(
      pieces: readonly SumSpan[],
      accountIds: readonly string[],
    ): Promise<{ account_id: string; cost: string }[]> {
      if (accountIds.length === 0) return []
      return await tables
        .selectFrom('usage_sums')
        .select('account_id')
        .select(summed)
        .where((eb) => eb.and([eb('account_id', 'in', accountIds), within(eb, pieces)]))
        .groupBy('account_id')
        .execute()
    },

    /** The same by group and status; an account in two groups is in the sums of both. */
    async groupsOfAccounts(
      pieces: readonly SumSpan[],
      filter: ReportFilter,
    ): Promise<(SumFigures & { group_id: string; status: string })[]> {
      if (memberships === null) return []
      const groupId = sql<string>`members.group_id`
      return await tables
        .selectFrom('usage_sums')
        .innerJoin(
          sql<{ group_id: string; member_id: string }>`(
          select group_id, account_id as member_id from (${memberships}) as pairs)`.as('members'),
          (on) => on.on(sql<SqlBool>`members.member_id = usage_sums.account_id`),
        )
        .select([groupId.as('group_id'), 'status'])
        .select(summed)
        .where((eb) => {
          const builder = eb as unknown as Builder
          return builder.and([single(filter), within(builder, pieces), ...matching(builder, filter)])
        })
        .groupBy([groupId, 'status'])
        .execute()
    },

    /** How many calls failed, by class. */
    failures: (pieces: readonly SumSpan[], filter: ReportFilter): Promise<{ error_class: string; calls: number }[]> =>
      tables
        .selectFrom('usage_failures')
        .select('error_class')
        .select(sum('calls').as('calls'))
        .where((eb) => {
          // The columns of what is asked for are the same as those of the sums.
          const builder = eb as unknown as Builder
          const { status: _, ...rest } = filter
          return builder.and([whose(filter), within(builder, pieces), ...matching(builder, rest)])
        })
        .groupBy('error_class')
        .execute(),

    /** The accounts that are in a group now. */
    async membersOf(groupId: string): Promise<ReadonlySet<string>> {
      const rows = await tables
        .selectFrom(
          sql<{
            account_id: string
          }>`(select account_id from (${memberships ?? sql`select '' as account_id, '' as group_id`}) as pairs
          where group_id = ${groupId})`.as('members'),
        )
        .select('members.account_id')
        .execute()
      return new Set(rows.map(({ account_id }) => account_id))
    },

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
            whose(filter),
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
            whose(filter),
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
            whose(filter),
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
          const wanted: Expression<SqlBool>[] = [
            whose(filter),
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
            single(filter),
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

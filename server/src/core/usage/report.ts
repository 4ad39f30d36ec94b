/** The usage report: one reading of each table of sums, put together in memory. */
import { Capability } from '@atrium/contract/connections'
import { ErrorClass, UnitKind, type UsageReport } from '@atrium/contract/usage'
import { daysOf, dayMs, hourMs, msToDay, spansOf, type DayRange, rangeBetween } from './days.ts'
import { createAggregation, createTimes, getOrCreate, type Aggregation } from './aggregate.ts'
import { toDecimal } from './money.ts'
import type { ReportFilter, GroupSums, ReportStore } from './stores/report.ts'

const mostAccounts = 200
const heatDays = 365
/** Up to so many days are told by the hour, too. */
const mostDaysInHours = 2

export type UsageFigures = Omit<UsageReport, 'currency' | 'accounts' | 'groups' | 'policy'> & {
  readonly accounts: readonly { readonly accountId: string; readonly aggregation: Aggregation }[]
  readonly groups: readonly { readonly groupId: string; readonly aggregation: Aggregation }[]
}

/** null: of nothing. */
const share = (part: number, all: number): number | null => (all === 0 ? null : part / all)

export const readReport = async (store: ReportStore, range: DayRange, filter: ReportFilter): Promise<UsageFigures> => {
  const pieces = spansOf(range)
  const [groups, accounts, days, hours, latencies, heatmap, ofGroups, failures] = await Promise.all([
    store.groups(pieces, filter),
    store.accounts(pieces, filter),
    store.days(range, filter),
    range.days > mostDaysInHours ? [] : store.hours(range, filter),
    // Only calls that succeeded are timed.
    filter.status === undefined || filter.status === 'success' ? store.latencies(range, filter) : [],
    readHeatMap(store, range, filter),
    store.groupsOfAccounts(pieces, filter),
    filter.status === undefined || filter.status === 'error' ? store.failures(pieces, filter) : [],
  ])

  const total = createAggregation()
  const plugins = new Map<string, { name: string; aggregation: Aggregation }>()
  const models = new Map<string, { group: GroupSums; aggregation: Aggregation }>()
  const capabilities = new Map<string, { kind: string | null; aggregation: Aggregation }>()
  for (const group of groups) {
    total.add(group)
    getOrCreate(plugins, group.plugin_id, () => ({
      name: group.plugin_name,
      aggregation: createAggregation(),
    })).aggregation.add(group)
    getOrCreate(models, modelKey(group), () => ({ group, aggregation: createAggregation() })).aggregation.add(group)
    const capability = getOrCreate(capabilities, group.capability, () => ({
      kind: group.unit_kind,
      aggregation: createAggregation(),
    }))
    capability.kind ??= group.unit_kind
    capability.aggregation.add(group)
  }
  const allTimes = createTimes()
  const times = new Map<string, ReturnType<typeof createTimes>>()
  for (const row of latencies) {
    allTimes.add(row.measure, row.bucket, row.calls)
    getOrCreate(times, modelKey(row), createTimes).add(row.measure, row.bucket, row.calls)
  }
  const people = new Map<string, Aggregation>()
  for (const row of accounts) getOrCreate(people, row.account_id, createAggregation).add(row)

  const teams = new Map<string, Aggregation>()
  for (const row of ofGroups) getOrCreate(teams, row.group_id, createAggregation).add(row)

  const figures = total.figures()
  return {
    range: { from: range.from, to: range.to, days: range.days, offsetMinutes: range.offsetMinutes },
    totals: {
      ...figures,
      successfulCalls: total.counts.succeeded,
      // Answers that somebody stopped are neither.
      successRate: share(total.counts.succeeded, figures.calls - figures.cancelled),
      failedCalls: figures.errors,
      cancelledCalls: figures.cancelled,
      reportedTokens: figures.tokens,
      uniqueUsers: people.size,
      latency: allTimes.timing('duration', figures.averageLatencyMs),
      firstToken: allTimes.timing('first-token', figures.averageFirstTokenMs),
    },
    series: seriesOf(range, days),
    hours: range.days > mostDaysInHours ? [] : hoursOf(range, hours),
    plugins: busiest([...plugins], ([, { aggregation }]) => aggregation).map(([pluginId, { name, aggregation }]) => ({
      pluginId,
      pluginName: name,
      share: aggregation.counts.calls / total.counts.calls,
      ...aggregation.figures(),
    })),
    models: busiest([...models.values()], ({ aggregation }) => aggregation).map(({ group, aggregation }) => {
      const sums = aggregation.figures()
      const own = times.get(modelKey(group)) ?? createTimes()
      return {
        pluginId: group.plugin_id,
        pluginName: group.plugin_name,
        model: group.model,
        share: aggregation.counts.calls / total.counts.calls,
        ...sums,
        latency: own.timing('duration', sums.averageLatencyMs),
        firstToken: own.timing('first-token', sums.averageFirstTokenMs),
      }
    }),
    accounts: busiest([...people], ([, aggregation]) => aggregation)
      .slice(0, mostAccounts)
      .map(([accountId, aggregation]) => ({ accountId, aggregation })),
    groups: busiest([...teams], ([, aggregation]) => aggregation).map(([groupId, aggregation]) => ({
      groupId,
      aggregation,
    })),
    failures: failuresOf(failures, figures.errors),
    capabilities: busiest([...capabilities], ([, { aggregation }]) => aggregation).map(
      ([capability, { kind, aggregation }]) => ({
        capability: Capability.parse(capability),
        unitKind: kind === null ? null : UnitKind.parse(kind),
        inputUnits: aggregation.counts.inputUnits,
        outputUnits: aggregation.counts.outputUnits,
        ...aggregation.figures(),
      }),
    ),
    heatmap,
  }
}

/** Failures by class; those that have none were counted before there were classes. */
const failuresOf = (
  rows: readonly { error_class: string; calls: number }[],
  errors: number,
): UsageReport['failures'] => {
  const known = rows.map(({ error_class, calls }) => ({ errorClass: ErrorClass.parse(error_class), calls }))
  const unknown = errors - known.reduce((sum, { calls }) => sum + calls, 0)
  if (unknown > 0) known.push({ errorClass: 'unknown', calls: unknown })
  return known.toSorted((a, b) => b.calls - a.calls)
}

type TimeSums = Omit<Awaited<ReturnType<ReportStore['days']>>[number], 'day'>

const seriesOf = (range: DayRange, rows: Awaited<ReturnType<ReportStore['days']>>): UsageReport['series'] => {
  const sumsOf = sumTimes(rows, ({ day }) => msToDay(day * dayMs))
  return daysOf(range).map((day) => ({ day, ...sumsOf(day) }))
}

const hoursOf = ({ since, until }: DayRange, rows: Awaited<ReturnType<ReportStore['hours']>>): UsageReport['hours'] => {
  const sumsOf = sumTimes(rows, ({ hour }) => hour)
  return Array.from({ length: (until - since) / hourMs }, (_, hour) => ({
    startedAt: new Date(since + hour * hourMs).toISOString(),
    ...sumsOf(hour),
  }))
}

/** Adds up what is of one time, whatever its status; gives the sums of a time. */
const sumTimes = <R extends TimeSums, K>(rows: readonly R[], timeOf: (row: R) => K) => {
  const found = new Map<K, { calls: number; errors: number; tokens: number; priced: number; cost: bigint }>()
  for (const row of rows) {
    const sums = getOrCreate(found, timeOf(row), () => ({ calls: 0, errors: 0, tokens: 0, priced: 0, cost: 0n }))
    sums.calls += row.calls
    sums.tokens += row.tokens
    sums.priced += row.priced_calls
    sums.cost += BigInt(row.cost)
    if (row.status === 'error') sums.errors += row.calls
  }
  return (time: K) => {
    const sums = found.get(time)
    return {
      calls: sums?.calls ?? 0,
      errors: sums?.errors ?? 0,
      tokens: sums?.tokens ?? 0,
      cost: sums && sums.priced > 0 ? toDecimal(sums.cost) : null,
    }
  }
}

/** A year up to the end of the range, with the five busiest models of that year. */
const readHeatMap = async (
  store: ReportStore,
  range: DayRange,
  filter: ReportFilter,
): Promise<UsageReport['heatmap']> => {
  const from = msToDay(Date.parse(`${range.to}T00:00:00Z`) - (heatDays - 1) * dayMs)
  const rows = await store.cells(rangeBetween(from, range.to, range.offsetMinutes), filter)
  const totals = new Map<string, { pluginId: string; pluginName: string; model: string; calls: number }>()
  for (const row of rows)
    getOrCreate(totals, modelKey(row), () => ({
      pluginId: row.plugin_id,
      pluginName: row.plugin_name,
      model: row.model,
      calls: 0,
    })).calls += row.calls
  const top = [...totals].sort(([, a], [, b]) => b.calls - a.calls).slice(0, 5)
  const places = new Map(top.map(([key], index) => [key, index]))
  const cells = new Map<number, { calls: number; models: number[] }>()
  for (const row of rows) {
    const cell = getOrCreate(cells, row.day, () => ({ calls: 0, models: top.map(() => 0) }))
    cell.calls += row.calls
    const place = places.get(modelKey(row))
    if (place !== undefined) cell.models[place] = (cell.models[place] ?? 0) + row.calls
  }
  return {
    from,
    days: heatDays,
    models: top.map(([, { pluginId, pluginName, model }]) => ({ pluginId, pluginName, model })),
    cells: [...cells].sort(([a], [b]) => a - b).map(([day, cell]) => ({ day: msToDay(day * dayMs), ...cell })),
  }
}

const modelKey = ({ plugin_id, model }: { plugin_id: string; model: string }): string => `${plugin_id}\0${model}`

const busiest = <T>(all: T[], foldOf: (item: T) => Aggregation): T[] =>
  all.sort((a, b) => foldOf(b).counts.calls - foldOf(a).counts.calls)

/** The usage report: one reading of each table of sums, put together in memory. */
import { Capability } from '@atrium/contract/connections'
import { UnitKind, type UsageReport } from '@atrium/contract/usage'
import { daysOf, dayMs, msToDay, spansOf, type DayRange, rangeBetween } from './days.ts'
import { createAggregation, createTimes, getOrCreate, type Aggregation } from './aggregate.ts'
import { toDecimal } from './money.ts'
import type { ReportFilter, GroupSums, ReportStore } from './stores/report.ts'

const mostAccounts = 200
const heatDays = 365

export type UsageFigures = Omit<UsageReport, 'currency' | 'accounts'> & {
  readonly accounts: readonly { readonly accountId: string; readonly aggregation: Aggregation }[]
}

export const readReport = async (store: ReportStore, range: DayRange, filter: ReportFilter): Promise<UsageFigures> => {
  const pieces = spansOf(range)
  const [groups, accounts, days, latencies, heatmap] = await Promise.all([
    store.groups(pieces, filter),
    store.accounts(pieces, filter),
    store.days(range, filter),
    // Only calls that succeeded are timed.
    filter.status === undefined || filter.status === 'success' ? store.latencies(range, filter) : [],
    readHeatMap(store, range, filter),
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

  const figures = total.figures()
  return {
    range: { from: range.from, to: range.to, days: range.days, offsetMinutes: range.offsetMinutes },
    totals: {
      ...figures,
      successfulCalls: total.counts.succeeded,
      successRate: figures.calls === 0 ? null : total.counts.succeeded / figures.calls,
      failedCalls: figures.errors,
      cancelledCalls: figures.cancelled,
      reportedTokens: figures.tokens,
      uniqueUsers: people.size,
      latency: allTimes.timing('duration', figures.averageLatencyMs),
      firstToken: allTimes.timing('first-token', figures.averageFirstTokenMs),
    },
    series: seriesOf(range, days),
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

const seriesOf = (range: DayRange, days: Awaited<ReturnType<ReportStore['days']>>): UsageReport['series'] => {
  const found = new Map<string, { calls: number; errors: number; tokens: number; priced: number; cost: bigint }>()
  for (const row of days) {
    const day = getOrCreate(found, msToDay(row.day * dayMs), () => ({
      calls: 0,
      errors: 0,
      tokens: 0,
      priced: 0,
      cost: 0n,
    }))
    day.calls += row.calls
    day.tokens += row.tokens
    day.priced += row.priced_calls
    day.cost += BigInt(row.cost)
    if (row.status === 'error') day.errors += row.calls
  }
  return daysOf(range).map((day) => {
    const sums = found.get(day)
    return {
      day,
      calls: sums?.calls ?? 0,
      errors: sums?.errors ?? 0,
      tokens: sums?.tokens ?? 0,
      cost: sums && sums.priced > 0 ? toDecimal(sums.cost) : null,
    }
  })
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

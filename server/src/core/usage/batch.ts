/** Calls on their way into the tables: added up first, so that each sum is written once for a whole batch. */
import { dayMs, quarterMs } from './days.ts'
import { bucketOf } from './histogram.ts'
import type { EventBatch } from './stores/events.ts'
import type { UsageEventRow, UsageFailureRow, UsageLatencyRow, UsageSumRow } from './tables.ts'

/** A call, and what it cost in billionths; null where nobody knows. The cost is kept in sums alone. */
export interface CountedCall {
  readonly event: UsageEventRow
  readonly cost: number | null
  /** Whether it gets a row of its own; else only sums know of it. */
  readonly listed: boolean
}

export const addUp = (calls: readonly CountedCall[]): EventBatch => {
  const sums = new Map<string, UsageSumRow>()
  const latencies = new Map<string, UsageLatencyRow>()
  const failures = new Map<string, UsageFailureRow>()
  for (const { event, cost } of calls) {
    for (const accountId of event.user_id === '' ? [''] : ['', event.user_id]) {
      for (const span of ['day', 'quarter'] as const) {
        addSum(sums, event, cost, accountId, span)
        if (event.error_class !== null) addFailure(failures, event, event.error_class, accountId, span)
      }
      if (event.status !== 'success') continue
      addLatency(latencies, event, accountId, 'duration', event.duration_ms)
      if (event.first_token_ms !== null) addLatency(latencies, event, accountId, 'first-token', event.first_token_ms)
    }
  }
  return {
    id: calls[0]?.event.id ?? '',
    events: calls.filter(({ listed }) => listed).map(({ event }) => event),
    sums: inOrder(sums),
    latencies: inOrder(latencies),
    failures: inOrder(failures),
  }
}

/** The row that a call's figures are in, with nothing in it yet. */
export const emptySum = (event: UsageEventRow, accountId: string, span: UsageSumRow['span']): UsageSumRow => {
  const spanMs = span === 'day' ? dayMs : quarterMs
  return {
    account_id: accountId,
    span,
    start: Math.floor(event.created_at / spanMs) * spanMs,
    plugin_id: event.plugin_id,
    model: event.model,
    capability: event.capability,
    status: event.status,
    plugin_name: event.plugin_name,
    unit_kind: event.unit_kind,
    calls: 0,
    metered_calls: 0,
    prompt_tokens: 0,
    completion_tokens: 0,
    cached_tokens: 0,
    reasoning_tokens: 0,
    input_units: 0,
    output_units: 0,
    duration_ms: 0,
    first_token_ms: 0,
    first_token_calls: 0,
    priced_calls: 0,
    cost: 0,
  }
}

export const sumKeyOf = (event: UsageEventRow, accountId: string, span: UsageSumRow['span']): string => {
  const spanMs = span === 'day' ? dayMs : quarterMs
  const start = Math.floor(event.created_at / spanMs)
  return [accountId, span, start, event.plugin_id, event.model, event.capability, event.status].join('\0')
}

const addSum = (
  sums: Map<string, UsageSumRow>,
  event: UsageEventRow,
  cost: number | null,
  accountId: string,
  span: UsageSumRow['span'],
): void => {
  const key = sumKeyOf(event, accountId, span)
  let sum = sums.get(key)
  if (!sum) sums.set(key, (sum = emptySum(event, accountId, span)))
  sum.plugin_name = event.plugin_name
  sum.unit_kind = event.unit_kind ?? sum.unit_kind
  sum.calls += 1
  sum.metered_calls += event.prompt_tokens !== null || event.completion_tokens !== null ? 1 : 0
  sum.prompt_tokens += event.prompt_tokens ?? 0
  sum.completion_tokens += event.completion_tokens ?? 0
  sum.cached_tokens += event.cached_tokens ?? 0
  sum.reasoning_tokens += event.reasoning_tokens ?? 0
  sum.input_units += event.input_units ?? 0
  sum.output_units += event.output_units ?? 0
  sum.duration_ms += event.duration_ms
  sum.first_token_ms += event.first_token_ms ?? 0
  sum.first_token_calls += event.first_token_ms === null ? 0 : 1
  sum.priced_calls += cost === null ? 0 : 1
  sum.cost += cost ?? 0
}

const addFailure = (
  failures: Map<string, UsageFailureRow>,
  event: UsageEventRow,
  errorClass: string,
  accountId: string,
  span: UsageFailureRow['span'],
): void => {
  const spanMs = span === 'day' ? dayMs : quarterMs
  const { plugin_id, model, capability } = event
  const key = { account_id: accountId, span, start: Math.floor(event.created_at / spanMs) * spanMs }
  const name = [...Object.values(key), plugin_id, model, capability, errorClass].join('\0')
  const row = failures.get(name)
  if (row) row.calls += 1
  else failures.set(name, { ...key, plugin_id, model, capability, error_class: errorClass, calls: 1 })
}

const addLatency = (
  latencies: Map<string, UsageLatencyRow>,
  event: UsageEventRow,
  accountId: string,
  measure: UsageLatencyRow['measure'],
  ms: number,
): void => {
  const day = Math.floor(event.created_at / dayMs) * dayMs
  const bucket = bucketOf(ms)
  const key = [accountId, day, event.plugin_id, event.model, event.capability, measure, bucket].join('\0')
  const row = latencies.get(key)
  if (row) row.calls += 1
  else {
    const { plugin_id, model, capability } = event
    latencies.set(key, { account_id: accountId, day, plugin_id, model, capability, measure, bucket, calls: 1 })
  }
}

/** Always the same order, so that two processes never wait for each other's rows crosswise. */
const inOrder = <T>(rows: Map<string, T>): T[] =>
  [...rows.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)

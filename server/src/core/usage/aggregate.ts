/** Aggregates groups of sums into the figures of a report. */
import type { UsageSums } from '@atrium/contract/usage'
import { addTo, type Histogram, percentileOf } from './histogram.ts'
import { toDecimal } from './money.ts'
import type { SumFigures } from './stores/report.ts'

/** Figures in the making: add groups, then read. */
export const createAggregation = () => {
  const counts = {
    calls: 0,
    errors: 0,
    cancelled: 0,
    succeeded: 0,
    priced: 0,
    unpriced: 0,
    metered: 0,
    prompt: 0,
    completion: 0,
    cached: 0,
    reasoning: 0,
    inputUnits: 0,
    outputUnits: 0,
    durationMs: 0,
    firstTokenMs: 0,
    firstTokenCalls: 0,
  }
  let cost = 0n
  return {
    counts,
    add(sums: SumFigures & { status: string }): void {
      counts.calls += sums.calls
      counts.metered += sums.metered_calls
      counts.prompt += sums.prompt_tokens
      counts.completion += sums.completion_tokens
      counts.cached += sums.cached_tokens
      counts.reasoning += sums.reasoning_tokens
      counts.inputUnits += sums.input_units
      counts.outputUnits += sums.output_units
      counts.priced += sums.priced_calls
      cost += BigInt(sums.cost)
      if (sums.status === 'error') counts.errors += sums.calls
      else counts.unpriced += sums.calls - sums.priced_calls
      if (sums.status === 'cancelled') counts.cancelled += sums.calls
      if (sums.status !== 'success') return
      counts.succeeded += sums.calls
      counts.durationMs += sums.duration_ms
      counts.firstTokenMs += sums.first_token_ms
      counts.firstTokenCalls += sums.first_token_calls
    },
    figures: (): UsageSums => ({
      calls: counts.calls,
      errors: counts.errors,
      cancelled: counts.cancelled,
      meteredCalls: counts.metered,
      promptTokens: counts.prompt,
      completionTokens: counts.completion,
      cachedTokens: counts.cached,
      reasoningTokens: counts.reasoning,
      tokens: counts.prompt + counts.completion,
      cost: counts.priced > 0 ? toDecimal(cost) : null,
      unpricedCalls: counts.unpriced,
      averageLatencyMs: mean(counts.durationMs, counts.succeeded),
      averageFirstTokenMs: mean(counts.firstTokenMs, counts.firstTokenCalls),
    }),
  }
}
export type Aggregation = ReturnType<typeof createAggregation>

const mean = (sum: number, count: number): number | null => (count === 0 ? null : Math.round(sum / count))

/** Two histograms in the making. */
export const createTimes = () => {
  const measures: Record<'duration' | 'first-token', Histogram> = { duration: new Map(), 'first-token': new Map() }
  return {
    add: (measure: 'duration' | 'first-token', bucket: number, calls: number) =>
      addTo(measures[measure], bucket, calls),
    /** With the exact mean, which sums know; null when nothing was timed. */
    timing(measure: 'duration' | 'first-token', exact: number | null) {
      const p50 = percentileOf(measures[measure], 0.5)
      const p95 = percentileOf(measures[measure], 0.95)
      return exact === null || p50 === null || p95 === null ? null : { mean: exact, p50, p95 }
    },
  }
}

/** Gets or makes the entry of a map. */
export const getOrCreate = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  let value = map.get(key)
  if (value === undefined) map.set(key, (value = make()))
  return value
}

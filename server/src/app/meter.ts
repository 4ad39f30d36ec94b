/** Calls to models as figures: how many, how they ended, how many tokens. */
import type { Metrics } from '../platform/metrics/index.ts'
import type { MeteredCall } from '../providers/metering.ts'

type Meter = (call: MeteredCall) => void

export const meterCalls = (metrics: Metrics): Meter => {
  const calls = metrics.counter('model_calls_total', 'Calls to models', ['status'])
  const tokens = metrics.counter('model_tokens_total', 'Tokens of calls to models, as providers count them', ['kind'])
  return ({ status, inputTokens, outputTokens }) => {
    calls({ status })
    tokens({ kind: 'input' }, inputTokens ?? 0)
    tokens({ kind: 'output' }, outputTokens ?? 0)
  }
}

/** Calls whose figures were lost, as one more figure. */
export const countDropped = (metrics: Metrics): ((calls: number) => void) => {
  const dropped = metrics.counter('usage_dropped_total', 'Calls whose usage could not be written down', [])
  return (calls) => dropped({}, calls)
}

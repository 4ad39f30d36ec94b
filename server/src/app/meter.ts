/** Calls to models as figures: how many, how they ended, how many tokens. */
import type { Metrics } from '../platform/metrics/index.ts'
import type { MeteredCall } from '../providers/metering.ts'

export const meterCalls = (metrics: Metrics): ((call: MeteredCall) => void) => {
  const calls = metrics.counter('model_calls_total', 'Calls to models', ['status'])
  const tokens = metrics.counter('model_tokens_total', 'Tokens of calls to models, as providers count them', ['kind'])
  return ({ status, inputTokens, outputTokens }) => {
    calls({ status })
    tokens({ kind: 'input' }, inputTokens ?? 0)
    tokens({ kind: 'output' }, outputTokens ?? 0)
  }
}

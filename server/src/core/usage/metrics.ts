/** What is told of calls to models. */
import { Capability } from '@atrium/contract/connections'
import { defineCounter, defineHistogram } from '../../platform/metrics/definition.ts'
import type { Metrics } from '../../platform/metrics/index.ts'
import { bundledDefinitions } from '../../providers/definitions.ts'
import type { MeteredCall, PlannedCall } from '../../providers/metering.ts'
import { providerFailureKinds } from '../../providers/types.ts'

const outcome = ['success', 'cancelled', 'internal', ...providerFailureKinds] as const
const seconds = [0.1, 0.3, 1, 3, 10, 30, 100, 300]

/** A function, as the bundled definitions are read from files. */
export const defineUsageMetrics = () => {
  const provider = {
    about: 'the id of a bundled definition, `local`, `builtin`, or `other` for a definition that was installed',
    values: ['local', 'builtin', ...bundledDefinitions().map(({ id }) => id)],
  }
  return {
    model_calls_total: defineCounter('Calls to models that ended, by outcome', {
      labels: { provider, outcome },
      most: 250,
      folded: ['provider'],
    }),
    model_relayed_calls_total: defineCounter('Calls whose answer was passed through unchanged', {
      labels: { outcome },
    }),
    model_call_duration_seconds: defineHistogram('Time from the start of a call to its end', seconds, {
      labels: { capability: Capability.options },
    }),
    model_first_token_seconds: defineHistogram(
      'Time from the start of a call to the first part of its answer',
      seconds,
      {
        labels: { provider },
        most: 12,
      },
    ),
    model_tokens_total: defineCounter('Tokens of calls, as reported by providers', {
      labels: { kind: ['input', 'output', 'cached', 'reasoning'] },
    }),
    budget_refusals_total: defineCounter('Calls refused because a budget was used up'),
    usage_dropped_total: defineCounter('Calls whose usage couldn’t be recorded'),
  }
}

/** Gives what the area tells. */
export const createUsageRecorder = (metrics: Metrics) => {
  const figures = metrics.bind(defineUsageMetrics())
  return {
    /** A call that is over. */
    ended(metered: MeteredCall, { providerId, capability }: PlannedCall): void {
      const { status, failure, firstTokenMs, durationMs } = metered
      const how = { outcome: status === 'error' ? (failure ?? 'internal') : status }
      figures.model_calls_total({ provider: providerId, ...how })
      if (metered.relayed) figures.model_relayed_calls_total(how)
      figures.model_call_duration_seconds({ capability }, durationMs / 1000)
      if (firstTokenMs !== null) figures.model_first_token_seconds({ provider: providerId }, firstTokenMs / 1000)
      figures.model_tokens_total({ kind: 'input' }, tokensIn(metered.inputTokens))
      figures.model_tokens_total({ kind: 'output' }, tokensIn(metered.outputTokens))
      figures.model_tokens_total({ kind: 'cached' }, tokensIn(metered.cachedTokens))
      figures.model_tokens_total({ kind: 'reasoning' }, tokensIn(metered.reasoningTokens))
    },
    refused: (): void => figures.budget_refusals_total(),
    dropped: (calls: number): void => figures.usage_dropped_total({}, calls),
  }
}
export type UsageRecorder = ReturnType<typeof createUsageRecorder>

/** Providers report what they like; a counter takes no less than nothing. */
const tokensIn = (told: number | null): number => (told !== null && Number.isFinite(told) && told > 0 ? told : 0)

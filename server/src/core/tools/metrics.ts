/** What is told of calls of tools. */
import { defineCounter, defineHistogram } from '../../platform/metrics/definition.ts'
import type { Metrics } from '../../platform/metrics/index.ts'

const sources = ['builtin', 'openapi', 'mcp'] as const
const outcomes = ['succeeded', 'failed', 'denied', 'cancelled', 'unknown'] as const

export const toolMetrics = {
  tool_calls_total: defineCounter('Tool calls that ended, by outcome', {
    labels: { source: sources, outcome: outcomes },
  }),
  tool_call_duration_seconds: defineHistogram(
    'Time of tool calls that ran, including questions to the person',
    [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 120],
  ),
}

export type RecordCall = (call: {
  readonly source: (typeof sources)[number]
  readonly outcome: (typeof outcomes)[number]
  /** null: it did not run. */
  readonly durationMs: number | null
}) => void

export const createCallRecorder = (metrics: Metrics): RecordCall => {
  const figures = metrics.bind(toolMetrics)
  return ({ source, outcome, durationMs }) => {
    figures.tool_calls_total({ source, outcome })
    if (durationMs !== null) figures.tool_call_duration_seconds({}, durationMs / 1000)
  }
}

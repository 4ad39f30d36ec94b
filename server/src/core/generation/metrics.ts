/** What is told of answers. */
import { defineCounter, defineGauge, defineHistogram } from '../../platform/metrics/definition.ts'
import type { Metrics } from '../../platform/metrics/index.ts'
import type { RunOutcome } from './types.ts'

const ends = ['done', 'cancelled', 'failed', 'interrupted', 'waiting'] as const
const seconds = [0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000]

export const generationMetrics = {
  answers_total: defineCounter('Answers that ended, by outcome', { labels: { end: ends } }),
  answer_first_token_seconds: defineHistogram('Time from calling a model to the first part of its answer', seconds),
  answer_duration_seconds: defineHistogram('Time from the start of an answer to its end', seconds, {
    labels: { end: ends },
  }),
  answer_output_tokens: defineHistogram(
    'Length of answers in tokens, as reported by providers',
    [10, 30, 100, 300, 1000, 3000, 10_000],
    { unit: 'count' },
  ),
  running_generations: defineGauge('Answers being written'),
}

/** Gives what is told of each answer whose end this process recorded. */
export const createAnswerRecorder = (metrics: Metrics, running: () => number) => {
  const figures = metrics.bind(generationMetrics)
  metrics.onScrape(() => figures.running_generations({}, running()))
  return ({ state: end, answer: { usage }, endedAt }: RunOutcome, startedAt: number): void => {
    figures.answers_total({ end })
    figures.answer_duration_seconds({ end }, (endedAt - startedAt) / 1000)
    const { firstTokenMs = null, outputTokens = null } = usage ?? {}
    if (firstTokenMs !== null) figures.answer_first_token_seconds({}, firstTokenMs / 1000)
    if (outputTokens !== null) figures.answer_output_tokens({}, outputTokens)
  }
}
export type RecordAnswer = ReturnType<typeof createAnswerRecorder>

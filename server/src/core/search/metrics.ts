/** What is told of searches. */
import { defineHistogram } from '../../platform/metrics/definition.ts'

export const searchMetrics = {
  search_duration_seconds: defineHistogram(
    'Time of a search over everything that an account can read',
    [0.01, 0.03, 0.1, 0.3, 1, 3, 10],
  ),
}

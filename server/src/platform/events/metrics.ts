/** What is told of the event log. */
import { defineCounter, defineGauge, defineHistogram } from '../metrics/definition.ts'
import type { Metrics } from '../metrics/index.ts'
import type { Hub } from './hub.ts'

export const eventMetrics = {
  event_log_events_total: defineCounter('Committed events, each counted by its writer only'),
  event_log_commit_duration_seconds: defineHistogram(
    'Time of a group commit of all streams that this process writes',
    [0.003, 0.01, 0.03, 0.1, 0.3, 1, 3],
  ),
  event_log_commit_failures_total: defineCounter('Group commits that failed and are retried'),
  event_log_waiting_events: defineGauge('Events not committed yet'),
  event_log_written_streams: defineGauge('Streams that this process writes'),
}

/** Told by the log of its commits. */
export interface EventRecorder {
  committed(events: number, durationMs: number): void
  failed(): void
  /** Has what waits read at each scrape. */
  watch(hub: Pick<Hub, 'sources'>): void
}

export const createEventRecorder = (metrics: Metrics): EventRecorder => {
  const figures = metrics.bind(eventMetrics)
  return {
    committed(events, durationMs) {
      figures.event_log_events_total({}, events)
      figures.event_log_commit_duration_seconds({}, durationMs / 1000)
    },
    failed: () => figures.event_log_commit_failures_total(),
    watch: (hub) =>
      metrics.onScrape(() => {
        const sources = [...hub.sources()]
        figures.event_log_written_streams({}, sources.length)
        figures.event_log_waiting_events(
          {},
          sources.reduce((sum, { pending }) => sum + pending.length, 0),
        )
      }),
  }
}

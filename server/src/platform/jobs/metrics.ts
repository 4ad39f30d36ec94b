/** What is told of jobs. */
import { jobKinds } from '@atrium/contract/jobs'
import type { Clock } from '../clock.ts'
import { defineCounter, defineGauge } from '../metrics/definition.ts'
import type { Metrics } from '../metrics/index.ts'
import type { Outcome } from './rules.ts'
import type { JobCounts } from './types.ts'

const kind = { about: 'a kind of job', values: jobKinds }
const outcomes = ['succeeded', 'failed', 'cancelled', 'retried', 'released', 'lost'] as const

/** Counts of waiting and running jobs are those of the instance, the same in all of its processes. */
export const jobMetrics = {
  jobs_due: defineGauge('Jobs of the instance that are due', { labels: { kind } }),
  jobs_oldest_due_seconds: defineGauge('How long the oldest due job of the instance has been due', {
    unit: 'seconds',
    labels: { kind },
  }),
  jobs_waiting: defineGauge('Waiting jobs of the instance, due or not', { labels: { kind } }),
  jobs_paused: defineGauge('1 while this kind of job is paused', { labels: { kind } }),
  jobs_running: defineGauge('Running jobs of the instance', { labels: { kind } }),
  jobs_failed: defineGauge('Failed jobs of the instance that are kept', { labels: { kind } }),
  job_places: defineGauge('Maximum number of jobs this process runs at once'),
  job_places_taken: defineGauge('Jobs this process is running'),
  jobs_ended_total: defineCounter('Attempts of jobs that ended in this process, by outcome', {
    labels: { kind, outcome: outcomes },
  }),
  job_run_seconds_total: defineCounter('Time spent on attempts of jobs', { unit: 'seconds', labels: { kind } }),
}

/** Told of each try that ended. */
export type RecordJobEnd = (kind: string, outcome: Outcome['to'], durationMs: number) => void

export const recordJobs = (
  metrics: Metrics,
  {
    count,
    clock,
    concurrency,
    busy,
  }: {
    readonly count: () => Promise<readonly JobCounts[]>
    readonly clock: Pick<Clock, 'now'>
    readonly concurrency: number
    /** How many this process works on. */
    readonly busy: () => number
  },
): RecordJobEnd => {
  const figures = metrics.bind(jobMetrics)
  metrics.onScrape(async () => {
    figures.job_places({}, concurrency)
    figures.job_places_taken({}, busy())
    for (const { kind, due, queued, running, failed, oldestDueAt, pausedAt } of await count()) {
      figures.jobs_due({ kind }, due)
      figures.jobs_waiting({ kind }, queued)
      figures.jobs_paused({ kind }, pausedAt === null ? 0 : 1)
      figures.jobs_running({ kind }, running)
      figures.jobs_failed({ kind }, failed)
      const late = oldestDueAt === null ? 0 : Math.max(0, clock.now() - oldestDueAt)
      figures.jobs_oldest_due_seconds({ kind }, late / 1000)
    }
  })
  return (kind, outcome, durationMs) => {
    figures.jobs_ended_total({ kind, outcome })
    figures.job_run_seconds_total({ kind }, durationMs / 1000)
  }
}

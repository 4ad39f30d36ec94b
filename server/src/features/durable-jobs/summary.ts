/** What all jobs of the instance come to: by kind, and by the process that works on them. */
import type { InstanceJob, JobKindSummary, JobSummary } from '@atrium/contract/durable-jobs'
import type { Clock } from '../../platform/clock.ts'
import type { JobCounts, JobRate, Jobs, RunningJob } from '../../platform/jobs/types.ts'
import type { Processes } from '../../platform/processes/index.ts'

const hourMs = 3_600_000

export const createSummary =
  (parts: {
    readonly jobs: Pick<Jobs, 'administration' | 'concurrency'>
    readonly processes: Pick<Processes, 'list'>
    readonly clock: Pick<Clock, 'now'>
    /** Adds what accounts and processes are called. */
    readonly withNames: (all: readonly InstanceJob[]) => Promise<InstanceJob[]>
  }): (() => Promise<JobSummary>) =>
  async () => {
    const { administration, concurrency } = parts.jobs
    const now = parts.clock.now()
    const [counts, rates, running, recurring] = await Promise.all([
      administration.count(),
      administration.rates(now - hourMs),
      administration.running(),
      administration.recurring(),
    ])
    return {
      generatedAt: timeOf(now),
      kinds: summariseKinds(counts, rates),
      recurring: await parts.withNames(recurring),
      placesPerProcess: concurrency,
      processes: groupByProcess(running, parts.processes),
    }
  }

const none = { queued: 0, due: 0, oldestDueAt: null, running: 0, failed: 0, pausedAt: null }

/** Kinds with counts or with tries that ended, by name. */
export const summariseKinds = (counts: readonly JobCounts[], rates: readonly JobRate[]): JobKindSummary[] => {
  const kinds = new Set([...counts, ...rates].map(({ kind }) => kind))
  return [...kinds].toSorted().map((kind) => {
    const { oldestDueAt, pausedAt, ...count } = counts.find((each) => each.kind === kind) ?? { kind, ...none }
    const own = rates.filter((each) => each.kind === kind)
    const sum = (outcomes: readonly JobRate['outcome'][], of: 'count' | 'totalMs' = 'count') =>
      own.filter(({ outcome }) => outcomes.includes(outcome)).reduce((total, rate) => total + rate[of], 0)
    const whole = ['succeeded', 'failed', 'retried'] as const
    const ended = sum(whole)
    return {
      ...count,
      oldestDueAt: oldestDueAt === null ? null : timeOf(oldestDueAt),
      pausedAt: pausedAt === null ? null : timeOf(pausedAt),
      lastHour: {
        succeeded: sum(['succeeded']),
        failed: sum(['failed']),
        retried: sum(['retried']),
        cancelled: sum(['cancelled']),
        interrupted: sum(['lost', 'released']),
        averageMs: ended === 0 ? null : Math.round(sum(whole, 'totalMs') / ended),
      },
    }
  })
}

/** Processes that are there, this one first, then those that are not heard any more and still hold jobs. */
const groupByProcess = (running: readonly RunningJob[], processes: Pick<Processes, 'list'>) => {
  const byProcess = Map.groupBy(running, ({ process }) => process ?? '')
  const runsOf = (id: string) =>
    (byProcess.get(id) ?? []).map((run) => ({
      id: run.id,
      kind: run.kind,
      startedAt: run.startedAt === null ? null : timeOf(run.startedAt),
    }))
  const there = processes.list()
  const gone = [...byProcess.keys()].filter((id) => !there.some((process) => process.id === id))
  return [
    ...there.map(({ id, host, pid }, index) => ({ id, host, pid, isThis: index === 0, running: runsOf(id) })),
    ...gone.map((id) => ({ id, host: null, pid: null, isThis: false, running: runsOf(id) })),
  ]
}

const timeOf = (ms: number): string => new Date(ms).toISOString()

/** What the instance is doing now. A part that cannot be read leaves the others as they are. */
import { availableParallelism } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import type { InstanceReport } from '@atrium/contract/system-diagnostics'
import type { Clock } from '../../platform/clock.ts'
import type { Database, DatabaseMeasure } from '../../platform/db/types.ts'
import type { JobAdministration, JobCounts, Jobs } from '../../platform/jobs/types.ts'
import type { Log } from '../../platform/log/log.ts'
import { createBoundedRead } from '../../platform/machine/bounded-read.ts'
import { readControlGroup } from '../../platform/machine/cgroup.ts'
import { readOpenFiles } from '../../platform/machine/open-files.ts'
import type { ServerCertificate } from '../../platform/outbound/certificate.ts'
import type { Bubblewrap } from '../../platform/sandbox/bubblewrap.ts'
import type { Processes } from '../../platform/processes/index.ts'

export interface InstanceDeps {
  readonly clock: Clock
  readonly log: Log
  readonly database: Pick<Database, 'measure'>
  readonly jobs: Pick<Jobs, 'concurrency'> & { readonly administration: Pick<JobAdministration, 'count'> }
  readonly processes: Processes
  readonly search: () => Promise<NonNullable<InstanceReport['search']>>
  /** What the local runtime has loaded; null where it is switched off. */
  readonly models: () => Promise<InstanceReport['models']>
  /** At the public address. */
  readonly certificate: () => Promise<ServerCertificate | null>
  /** It does not change while the process runs. */
  readonly bubblewrap: () => Promise<Bubblewrap>
}

const waitMs = 3000
const certificateMs = 60_000
type Limit = InstanceReport['limits'][number]

/** Gives a function that looks anew at each call; each part has three seconds. */
export const createInstanceReport = (deps: InstanceDeps): (() => Promise<InstanceReport>) => {
  const { clock, log, database, jobs, processes } = deps
  const bounded = <T>(part: string, read: () => Promise<T>) =>
    createBoundedRead(async () => {
      try {
        return await read()
      } catch (error) {
        log.warn('A part of the report on the instance cannot be read', { part, error })
        throw error
      }
    }, waitMs)
  const readDatabase = bounded('database', () => database.measure())
  const readJobs = bounded('jobs', () => jobs.administration.count())
  const readSearch = bounded('search', deps.search)
  // A runtime that is not there is no news.
  const readModels = createBoundedRead(deps.models, waitMs)
  const readMachine = bounded('limits', () => Promise.all([readControlGroup(), readOpenFiles()]))

  const readCertificate = keep(bounded('certificate', deps.certificate), certificateMs, clock)

  return async () => {
    const [measure, counts, search, models, machine, certificate, wrapped] = await Promise.all([
      readDatabase(),
      readJobs(),
      readSearch(),
      readModels(),
      readMachine(),
      readCertificate(),
      deps.bubblewrap(),
    ])
    const all = processes.list()
    const [group, openFiles] = machine ?? []
    const unknown = { value: null, limit: null }
    const { used_heap_size, heap_size_limit } = getHeapStatistics()
    const limits: Limit[] = [
      { name: 'memory', unit: 'bytes', ...(group?.memory ?? unknown) },
      { name: 'heap', unit: 'bytes', value: used_heap_size, limit: heap_size_limit },
      { name: 'cpu', unit: 'cores', value: all[0]?.cpuCores ?? null, limit: group?.cpuLimit ?? availableParallelism() },
      { name: 'pids', unit: 'count', ...(group?.pids ?? unknown) },
      { name: 'open-files', unit: 'count', ...(openFiles ?? unknown) },
      ...connectionLimits(measure),
      { name: 'jobs', unit: 'count', value: running(counts), limit: jobs.concurrency * all.length },
    ]
    return {
      generatedAt: timeOf(clock.now()),
      processes: all.map(({ startedAt, keyFingerprint: _, previousKeyFingerprint: _previous, ...rest }, index) => ({
        ...rest,
        startedAt: timeOf(startedAt),
        isThis: index === 0,
      })),
      database: measure && databaseOf(measure),
      jobs:
        counts &&
        counts.map(({ oldestDueAt, pausedAt, ...rest }) => ({
          ...rest,
          oldestDueAt: oldestDueAt === null ? null : timeOf(oldestDueAt),
          pausedAt: pausedAt === null ? null : timeOf(pausedAt),
        })),
      search,
      models,
      certificate: certificate && {
        host: certificate.host,
        expiresAt: timeOf(certificate.expiresAt),
        isTrusted: certificate.problem === null,
      },
      bubblewrap: {
        works: wrapped.works,
        version: wrapped.works ? wrapped.version : null,
        reason: wrapped.works ? null : wrapped.reason,
      },
      limits,
    }
  }
}

/** Asks again once what was read is so old: whoever looks all day need not connect all day. */
const keep = <T>(read: () => Promise<T>, ms: number, clock: Clock): (() => Promise<T>) => {
  let last: { readonly at: number; readonly value: Promise<T> } | null = null
  return () => {
    if (!last || clock.now() - last.at >= ms) last = { at: clock.now(), value: read() }
    return last.value
  }
}

const databaseOf = ({ serverConnections: _, ...rest }: DatabaseMeasure): NonNullable<InstanceReport['database']> => ({
  ...rest,
  tables: rest.tables && [...rest.tables],
})

const connectionLimits = (measure: DatabaseMeasure | null): Limit[] => {
  const { connections, serverConnections } = measure ?? {}
  const limits: Limit[] = []
  if (connections)
    limits.push({ name: 'connections', unit: 'count', value: connections.used, limit: connections.limit })
  if (serverConnections) {
    const { used: value, limit } = serverConnections
    limits.push({ name: 'server-connections', unit: 'count', value, limit })
  }
  return limits
}

const running = (counts: readonly JobCounts[] | null): number | null =>
  counts && counts.reduce((sum, each) => sum + each.running, 0)

const timeOf = (ms: number): string => new Date(ms).toISOString()

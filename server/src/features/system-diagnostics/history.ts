/** What the processes of the instance did in the last hour, in memory. */
import type { InstanceHistory } from '@atrium/contract/system-diagnostics'
import type { Clock } from '../../platform/clock.ts'
import type { ProcessReport, Processes } from '../../platform/processes/index.ts'

const hourMs = 3_600_000
/** Four a minute. */
const everyMs = 15_000
const most = hourMs / everyMs

type Sample = InstanceHistory['items'][number]['samples'][number]

interface Track {
  readonly host: string
  readonly pid: number
  readonly samples: Sample[]
}

export interface History {
  read(): InstanceHistory
  /** Notes how things are now. */
  sample(): void
  start(): void
  stop(): void
}

export const createHistory = ({ processes, clock }: { processes: Pick<Processes, 'list'>; clock: Clock }): History => {
  const tracks = new Map<string, Track>()
  let timer: NodeJS.Timeout | null = null
  const sample = (): void => {
    const now = clock.now()
    for (const report of processes.list()) {
      const track = tracks.get(report.id) ?? { host: report.host, pid: report.pid, samples: [] }
      tracks.set(report.id, track)
      track.samples.push(sampleOf(report, now))
    }
    for (const [id, { samples }] of tracks) {
      const old = samples.filter(({ at }, index) => index < samples.length - most || Date.parse(at) <= now - hourMs)
      samples.splice(0, old.length)
      if (samples.length === 0) tracks.delete(id)
    }
  }
  return {
    read: () => ({
      everyMs,
      items: [...tracks].map(([id, { samples, ...rest }]) => ({ id, ...rest, samples: [...samples] })),
    }),
    sample,
    start: () => {
      sample()
      timer = setInterval(sample, everyMs).unref()
    },
    stop: () => {
      if (timer) clearInterval(timer)
    },
  }
}

const sampleOf = (report: ProcessReport, now: number): Sample => ({
  at: new Date(now).toISOString(),
  cpuCores: report.cpuCores,
  loopDelayMs: report.loopDelayMs,
  loopDelayMaxMs: report.loopDelayMaxMs,
  rssBytes: report.rssBytes,
  heapUsedBytes: report.heapUsedBytes,
  streams: report.streams,
  answers: report.answers,
})

/**
 * How soon the chat models here usually begin and how often their calls fail, of everybody's calls together and always
 * from memory. Whoever asks for old figures has them read again, without waiting for it.
 */
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log/log.ts'
import { dayMs, spansOf, quarterMs } from './days.ts'
import { getOrCreate } from './aggregate.ts'
import { addTo, type Histogram, percentileOf } from './histogram.ts'
import type { ReportFilter, ReportStore } from './stores/report.ts'

export interface ModelSpeed {
  /** The median of 30 days; null with fewer than five timed successes. */
  readonly firstTokenMs: number | null
  /** The share of failed calls among those of 7 days, 0 to 1; null with fewer than ten calls. */
  readonly errorShare: number | null
}

const speedDays = 30
const errorDays = 7
const leastTimed = 5
const leastCalls = 10
const freshMs = 5 * 60_000

export type SpeedCache = ReturnType<typeof createSpeedCache>

export const createSpeedCache = (deps: {
  reports: Pick<ReportStore, 'latencies' | 'groups'>
  clock: Clock
  log: Log
}) => {
  const { reports, clock, log } = deps
  let known: ReadonlyMap<string, ModelSpeed> = new Map()
  let readAt: number | null = null
  let reading: Promise<void> | null = null
  let stopped = false

  const read = async (): Promise<void> => {
    const now = clock.now()
    const today = Math.floor(now / dayMs) * dayMs
    const since = Math.floor((now - errorDays * dayMs) / quarterMs) * quarterMs
    const [latencies, groups] = await Promise.all([
      reports.latencies({ since: today - (speedDays - 1) * dayMs, until: now + 1 }, everybodysChats),
      reports.groups(spansOf({ since, until: now + 1 }), everybodysChats),
    ])
    const times = new Map<string, Histogram>()
    for (const row of latencies)
      if (row.measure === 'first-token')
        addTo(
          getOrCreate(times, keyOf(row), () => new Map()),
          row.bucket,
          row.calls,
        )
    const counts = new Map<string, { calls: number; errors: number }>()
    for (const row of groups) {
      const count = getOrCreate(counts, keyOf(row), () => ({ calls: 0, errors: 0 }))
      count.calls += row.calls
      if (row.status === 'error') count.errors += row.calls
    }
    const found = new Map<string, ModelSpeed>()
    for (const key of new Set([...times.keys(), ...counts.keys()])) {
      const speed = { firstTokenMs: medianOf(times.get(key)), errorShare: shareOf(counts.get(key)) }
      if (speed.firstTokenMs !== null || speed.errorShare !== null) found.set(key, speed)
    }
    known = found
  }

  /** Reads again what is old; of a database that is away it asks no more often either. */
  const refresh = (): void => {
    const now = clock.now()
    if (stopped || reading || (readAt !== null && now - readAt < freshMs)) return
    readAt = now
    reading = read()
      .catch((error: unknown) => log.warn('how fast models are could not be read again', { error }))
      .finally(() => {
        reading = null
      })
  }

  return {
    /** null: not called often enough to tell anything. */
    of(providerId: string, model: string): ModelSpeed | null {
      refresh()
      return known.get(keyOf({ plugin_id: providerId, model })) ?? null
    },
    refresh,
    /** Resolves when what is being read is read. */
    settled: async (): Promise<void> => void (await reading),
    /** Reads no more. */
    async stop(): Promise<void> {
      stopped = true
      await reading
    },
  }
}

const everybodysChats: ReportFilter = { accountId: '', capability: 'chat' }

const keyOf = (row: { plugin_id: string; model: string }): string => `${row.plugin_id}\0${row.model}`

const medianOf = (times: Histogram | undefined): number | null => {
  let timed = 0
  for (const calls of times?.values() ?? []) timed += calls
  return times && timed >= leastTimed ? percentileOf(times, 0.5) : null
}

const shareOf = (count: { calls: number; errors: number } | undefined): number | null =>
  count && count.calls >= leastCalls ? count.errors / count.calls : null

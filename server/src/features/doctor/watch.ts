/**
 * Looks by itself for what is wrong. What is of the instance is looked at by a job, so by one process; each process looks
 * at what is its own besides, and the first of them at the queue of jobs, which no job could.
 */
import { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import type { CheckOutcome, DiagnosticCheck } from '../../platform/diagnostics/checks.ts'
import { defineJob } from '../../platform/jobs/types.ts'
import type { Log } from '../../platform/log/log.ts'
import type { ProcessReport, Processes } from '../../platform/processes/index.ts'
import type { Alerts } from './alerts.ts'
import { outageLookMs } from './outage.ts'

export const watchJob = 'doctor.watch'
export const watchIntervalMs = 5 * 60_000
const dayMs = 24 * 3_600_000

export interface WatchDeps {
  readonly alerts: Pick<Alerts, 'look'>
  readonly outage: { look(): Promise<void> }
  readonly checks: () => readonly DiagnosticCheck[]
  readonly processes: Pick<Processes, 'list'>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  /** Between two looks of the process, in milliseconds. */
  readonly everyMs?: number | undefined
}

export const createWatch = (deps: WatchDeps) => {
  const { alerts, outage, checks, processes, clock, log, everyMs = watchIntervalMs } = deps
  const seenToday = new Map<string, { readonly at: number; readonly outcome: CheckOutcome | null }>()
  /**
   * The same check, which looks again only after a day. One that rejects has seen nothing; one that is late, as on a slow disk,
   * is not told as a failure, and what it sees in the end holds for the looks to come.
   */
  const once = (check: DiagnosticCheck): DiagnosticCheck => ({
    ...check,
    mayNotKnow: true,
    async run(signal) {
      const seen = seenToday.get(check.id)
      if (seen && clock.now() - seen.at < dayMs) return seen.outcome

      const outcome = await check.run(signal)
      seenToday.set(check.id, { at: clock.now(), outcome })
      return outcome
    },
  })
  const watched = () => checks().flatMap((check) => (check.daily ? [once(check)] : check.watched ? [check] : []))
  const timers: NodeJS.Timeout[] = []
  let running: Promise<void> | null = null

  const lookHere = async (): Promise<void> => {
    const isFirst = isFirstOf(processes.list())
    const mine = watched().filter((check) => check.ofProcess || (check.besideJobs && isFirst))
    try {
      await alerts.look(mine)
    } catch (error) {
      // While the database is away, say: the next look is in a few minutes.
      log.warn('The process could not be looked at', { error })
    }
  }
  const turn = (): void => {
    running ??= lookHere().finally(() => (running = null))
  }

  return {
    jobs: {
      [watchJob]: defineJob({
        payload: z.strictObject({}),
        attempts: 1,
        timeoutMs: 60_000,
        run: () => alerts.look(watched().filter((check) => !check.ofProcess && !check.besideJobs)),
      }),
    },
    start(): void {
      turn()
      timers.push(setInterval(turn, everyMs).unref(), setInterval(() => void outage.look(), outageLookMs).unref())
    },
    async stop(): Promise<void> {
      for (const timer of timers.splice(0)) clearInterval(timer)
      await running
    },
  }
}

/** `list` has the own report first. Whether this process is there the longest of those that take work. */
export const isFirstOf = ([own, ...others]: readonly Pick<ProcessReport, 'id' | 'phase' | 'startedAt'>[]): boolean =>
  own !== undefined &&
  own.phase === 'ready' &&
  !others.some(
    ({ id, phase, startedAt }) =>
      phase === 'ready' && (startedAt < own.startedAt || (startedAt === own.startedAt && id < own.id)),
  )

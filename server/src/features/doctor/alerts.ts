/**
 * Alerts: checks that were not passed when they were run by themselves. Administrators are told of each once, on their
 * open pages and by mail, and not again until it was over.
 */
import type { Alert } from '@atrium/contract/doctor'
import { z } from 'zod'
import { type DiagnosticCheck, runChecks } from '../../platform/diagnostics/checks.ts'
import { defineJob } from '../../platform/jobs/types.ts'
import type { Platform } from '../../platform/platform.ts'

export const alertJob = 'doctor.watch'
export const alertIntervalMs = 5 * 60_000

/**
 * What fails is told at once. A warning begins, and every alert ends, after so many looks in a row: a machine that slept is
 * late for a moment, and what stands at a limit must not be told again and again.
 */
const looksInARow = 2

const Open = z.strictObject({
  status: z.enum(['warn', 'fail']),
  message: z.string(),
  since: z.number(),
  /** Looks in a row in which it was seen; no alert before there were two. */
  looks: z.number().int(),
  /** Passes in a row since then. */
  passes: z.number().int(),
})
type OpenAlerts = Readonly<Record<string, z.infer<typeof Open>>>

export interface AlertDeps extends Pick<Platform, 'clock' | 'log'>, Pick<Platform, 'saved'> {
  readonly checks: () => readonly DiagnosticCheck[]
  /** Tells open pages of administrators that the list is another one. */
  readonly announce: () => Promise<void>
  /** Tells administrators by mail of what is new. */
  readonly sendMail: (alerts: readonly Alert[]) => Promise<void>
}

export const createAlerts = ({ checks, saved, clock, log, announce, sendMail }: AlertDeps) => {
  const stored = saved.document<OpenAlerts>('alerts', z.record(z.string(), Open))

  const look = async (): Promise<void> => {
    const results = await runChecks(checks().filter(({ watched }) => watched))
    const now = clock.now()
    let before = await stored.read()
    // Nothing is written while nothing changes.
    if (JSON.stringify(updateAlerts(before, results, now)) === JSON.stringify(before)) return
    const after = await stored.change((open) => {
      before = open
      return updateAlerts(open, results, now)
    })
    const [open, were] = [toAlerts(after), toAlerts(before)]
    const fresh = open.filter(({ id }) => !were.some((known) => known.id === id))
    const ended = were.filter(({ id }) => !open.some((one) => one.id === id))
    if (fresh.length === 0 && ended.length === 0) return
    await announce()
    for (const { id, message } of fresh) log.warn('an alert began', { id, message })
    for (const { id } of ended) log.info('an alert ended', { id })
    if (fresh.length > 0) await sendMail(fresh)
  }

  return {
    jobs: {
      [alertJob]: defineJob({ payload: z.strictObject({}), attempts: 1, timeoutMs: 60_000, run: look }),
    },
    list: async (): Promise<Alert[]> => toAlerts(await stored.read()),
  }
}

type Result = Awaited<ReturnType<typeof runChecks>>[number]

/** The open alerts after one more look. What was not looked at this time stays as it was. */
export const updateAlerts = (open: OpenAlerts, results: readonly Result[], now: number): OpenAlerts => {
  const next = { ...open }
  for (const { id, status, message } of results) {
    const known = open[id]
    const looks = status === 'fail' ? looksInARow : Math.min((known?.looks ?? 0) + 1, looksInARow)
    if (status !== 'pass') next[id] = { status, message, since: known?.since ?? now, looks, passes: 0 }
    else if (known && (known.looks < looksInARow || known.passes + 1 >= looksInARow)) delete next[id]
    else if (known) next[id] = { ...known, passes: known.passes + 1 }
  }
  return next
}

/** Those that were seen often enough; the oldest first. */
const toAlerts = (open: OpenAlerts): Alert[] =>
  Object.entries(open)
    .filter(([, { looks }]) => looks >= looksInARow)
    .toSorted(([, a], [, b]) => a.since - b.since)
    .map(([id, { status, message, since }]) => ({ id, status, message, since: new Date(since).toISOString() }))

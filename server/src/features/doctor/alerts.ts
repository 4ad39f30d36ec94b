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

/** An alert ends after so many passes in a row, so that what stands at a limit is not told again and again. */
const passesToEnd = 2

const Open = z.strictObject({
  status: z.enum(['warn', 'fail']),
  message: z.string(),
  since: z.number(),
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
    const fresh = Object.keys(after).filter((id) => !(id in before))
    const ended = Object.keys(before).filter((id) => !(id in after))
    if (fresh.length === 0 && ended.length === 0) return
    await announce()
    for (const id of fresh) log.warn('an alert began', { id, message: after[id]?.message })
    for (const id of ended) log.info('an alert ended', { id })
    if (fresh.length > 0) await sendMail(toAlerts(after).filter(({ id }) => fresh.includes(id)))
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
    if (status !== 'pass') next[id] = { status, message, since: known?.since ?? now, passes: 0 }
    else if (known && known.passes + 1 >= passesToEnd) delete next[id]
    else if (known) next[id] = { ...known, passes: known.passes + 1 }
  }
  return next
}

/** The oldest first. */
const toAlerts = (open: OpenAlerts): Alert[] =>
  Object.entries(open)
    .toSorted(([, a], [, b]) => a.since - b.since)
    .map(([id, { status, message, since }]) => ({ id, status, message, since: new Date(since).toISOString() }))

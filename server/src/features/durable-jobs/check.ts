/** Whether jobs are done when they are due. */
import type { Clock } from '../../platform/clock.ts'
import { type DiagnosticCheck, reportPass, reportWarning } from '../../platform/diagnostics/checks.ts'
import type { Jobs } from '../../platform/jobs/types.ts'

/** A job that is due for so long waits for something. */
const lateMs = 60_000

export const jobsCheck = (parts: {
  readonly jobs: Pick<Jobs, 'administration'>
  readonly clock: Pick<Clock, 'now'>
}): DiagnosticCheck => ({
  id: 'jobs',
  watched: true,
  besideJobs: true,
  async run() {
    const since = parts.clock.now() - lateMs
    const counts = await parts.jobs.administration.count()
    const all = counts.filter(({ oldestDueAt }) => oldestDueAt !== null && oldestDueAt < since)
    const paused = all.filter(({ pausedAt }) => pausedAt !== null).map(({ kind }) => kind)
    const late = all.filter(({ pausedAt }) => pausedAt === null).map(({ kind }) => kind)
    if (late.length > 0) return reportWarning(`Jobs are more than a minute late: ${late.join(', ')}.`)
    if (paused.length > 0) return reportWarning(`Jobs wait because their type is paused: ${paused.join(', ')}.`)
    return reportPass('Jobs run on time.')
  },
})

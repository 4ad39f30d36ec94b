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
    const late = counts.filter(({ oldestDueAt }) => oldestDueAt !== null && oldestDueAt < since)
    if (late.length === 0) return reportPass('Jobs run on time.')
    return reportWarning(`Jobs are more than a minute late: ${late.map(({ kind }) => kind).join(', ')}.`)
  },
})

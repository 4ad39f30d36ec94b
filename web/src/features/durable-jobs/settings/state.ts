/** How a job stands, finer than the state that it has on the server. */
import { durableJobsRoutes, type InstanceJob, type Job } from '@atrium/contract/durable-jobs'
import { refresh } from '../../../api/query.ts'

export const tones = {
  queued: 'plain',
  failing: 'warn',
  running: 'info',
  stopping: 'warn',
  succeeded: 'ok',
  cancelled: 'plain',
  failed: 'danger',
} as const

export const stateOf = (job: Job | InstanceJob): keyof typeof tones =>
  job.cancelRequested && job.finishedAt === null
    ? 'stopping'
    : job.state === 'queued' && job.failure
      ? 'failing'
      : job.state

/** How often what is on screen is asked for again. */
export const everyMs = 5000

/** After a change: whatever shows jobs asks again. */
export const refreshJobs = async (): Promise<void> => {
  const { list, summary, attempts } = durableJobsRoutes
  await Promise.all([refresh(list), refresh(summary), refresh(attempts)])
}

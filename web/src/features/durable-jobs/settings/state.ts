/** How a job stands, finer than the state that it has on the server. */
import { durableJobsRoutes, type InstanceJob, type Job } from '@atrium/contract/durable-jobs'
import { refresh } from '../../../api/query.ts'
import { useShownStream } from '../../../api/shown-streams.ts'

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

/** How far a running job is is told to nobody else: that is asked for again. */
const progressMs = 5000
/** While a job runs its progress is asked for; all else is told. */
export const progressEvery = (jobs: readonly Pick<Job, 'state'>[] | undefined): number | false =>
  jobs?.some(({ state }) => state === 'running') ? progressMs : false

/** Whatever shows jobs asks again when some moved, as long as it is on screen. */
export const useLiveJobs = (): void => useShownStream('jobs', hearMoved)
const hearMoved = (): void => void refreshJobs()

/** After a change: whatever shows jobs asks again. */
export const refreshJobs = async (): Promise<void> => {
  const { list, summary, attempts } = durableJobsRoutes
  await Promise.all([refresh(list), refresh(summary), refresh(attempts)])
}

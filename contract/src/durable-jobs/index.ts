/** Long work that goes on when the page closes. */
import { area } from '../area.ts'
import { durableJobsDescription } from './area.ts'
import { z } from 'zod'
import { Id, PageQuery, page } from '../common.ts'
import { jobKinds } from '../jobs.ts'
import { routes } from '../route.ts'
import { InstanceJob, Job, JobAttempt, JobEvent } from './shapes.ts'
import { JobSummary } from './summary.ts'

export * from './shapes.ts'
export * from './summary.ts'

const ById = z.strictObject({ id: Id })
const ByKind = z.strictObject({ kind: z.string().max(100) })

export const durableJobsRoutes = routes({
  list: {
    method: 'get',
    path: '/api/jobs',
    access: 'user',
    summary: 'List your jobs, newest first. With `all=true`, administrators get everyone’s, as `InstanceJob`',
    query: PageQuery.extend({
      state: Job.shape.state.optional(),
      kind: z.enum(jobKinds).optional(),
      all: z.enum(['true', 'false']).default('false'),
    }),
    returns: page(z.union([Job, InstanceJob])),
    errors: ['bad_cursor', 'forbidden', 'token_scope'],
  },
  read: {
    method: 'get',
    path: '/api/jobs/{id}',
    access: 'user',
    names: 'own',
    summary: 'Get one of your jobs',
    params: ById,
    returns: Job,
    errors: ['job_not_found'],
  },
  events: {
    method: 'get',
    path: '/api/jobs/{id}/events',
    access: 'user',
    names: 'own',
    summary: 'Follow one of your jobs to its end',
    params: ById,
    query: z.strictObject({ after: z.coerce.number().int().min(0).optional() }),
    returns: z.never(),
    stream: JobEvent,
    errors: ['job_not_found'],
  },
  cancel: {
    method: 'post',
    path: '/api/jobs/{id}/cancel',
    access: 'user',
    names: 'own',
    limit: 'stop',
    summary: 'Cancel a job. One that has ended stays as it is',
    params: ById,
    returns: Job,
    errors: ['job_not_found'],
  },
  restart: {
    method: 'post',
    path: '/api/jobs/{id}/restart',
    access: 'user',
    names: 'own',
    summary: 'Restart your failed job with all of its tries',
    params: ById,
    returns: Job,
    errors: ['job_not_found', 'job_not_failed', 'job_repeated'],
  },
  summary: {
    method: 'get',
    path: '/api/jobs/summary',
    access: 'admin',
    summary: 'Get waiting, running, recurring and failed jobs by kind, and what each process works on',
    returns: JobSummary,
  },
  attempts: {
    method: 'get',
    path: '/api/jobs/{id}/attempts',
    access: 'admin',
    names: 'instance',
    summary: 'Get anyone’s job with its newest tries',
    params: ById,
    returns: z.strictObject({ job: InstanceJob, attempts: z.array(JobAttempt) }),
    errors: ['job_not_found'],
  },
  retry: {
    method: 'post',
    path: '/api/jobs/{id}/retry',
    access: 'admin',
    names: 'instance',
    audit: 'job.retry',
    summary: 'Retry anyone’s failed job with all of its tries',
    params: ById,
    returns: InstanceJob,
    errors: ['job_not_found', 'job_not_failed', 'job_repeated'],
  },
  stop: {
    method: 'post',
    path: '/api/jobs/{id}/stop',
    access: 'admin',
    names: 'instance',
    audit: 'job.cancel',
    summary: 'Cancel anyone’s job. One that has ended stays as it is',
    params: ById,
    returns: InstanceJob,
    errors: ['job_not_found', 'job_recurring'],
  },
  dismiss: {
    method: 'post',
    path: '/api/jobs/{id}/dismiss',
    access: 'admin',
    names: 'instance',
    audit: 'job.dismiss',
    summary: 'Dismiss anyone’s job that failed permanently',
    params: ById,
    returns: z.strictObject({}),
    errors: ['job_not_found', 'job_not_failed'],
  },
  run: {
    method: 'post',
    path: '/api/jobs/{id}/run',
    access: 'admin',
    names: 'instance',
    audit: 'job.run',
    summary: 'Run a recurring job now. If it is already running, nothing changes',
    params: ById,
    returns: InstanceJob,
    errors: ['job_not_found', 'job_not_recurring', 'job_kind_paused'],
  },
  pause: {
    method: 'post',
    path: '/api/jobs/kinds/{kind}/pause',
    access: 'admin',
    names: 'instance',
    audit: 'job.pause',
    summary: 'Pause a kind of job in all processes until you resume it. Running jobs continue',
    params: ByKind,
    returns: z.strictObject({}),
    errors: ['job_kind_not_found'],
  },
  resume: {
    method: 'post',
    path: '/api/jobs/kinds/{kind}/resume',
    access: 'admin',
    names: 'instance',
    audit: 'job.resume',
    summary: 'Resume a kind of job',
    params: ByKind,
    returns: z.strictObject({}),
    errors: ['job_kind_not_found'],
  },
})

export const durableJobsArea = area(durableJobsDescription, {
  routes: durableJobsRoutes,
  shapes: { Job, InstanceJob, JobAttempt, JobEvent, JobSummary },
})

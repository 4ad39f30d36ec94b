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
    summary: 'The own jobs, newest first; `all=true` gives administrators those of everybody, as `InstanceJob`',
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
    summary: 'One own job',
    params: ById,
    returns: Job,
    errors: ['job_not_found'],
  },
  events: {
    method: 'get',
    path: '/api/jobs/{id}/events',
    access: 'user',
    names: 'own',
    summary: 'Follow one own job to its end',
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
    summary: 'Stop a job; one that has ended stays as it is',
    params: ById,
    returns: Job,
    errors: ['job_not_found'],
  },
  restart: {
    method: 'post',
    path: '/api/jobs/{id}/restart',
    access: 'user',
    names: 'own',
    summary: 'Try an own failed job again, with all of its tries',
    params: ById,
    returns: Job,
    errors: ['job_not_found', 'job_not_failed', 'job_repeated'],
  },
  summary: {
    method: 'get',
    path: '/api/jobs/summary',
    access: 'admin',
    summary: 'What waits, runs, recurs and failed, by kind, and what each process works on',
    returns: JobSummary,
  },
  attempts: {
    method: 'get',
    path: '/api/jobs/{id}/attempts',
    access: 'admin',
    names: 'instance',
    summary: 'A job of anybody, and its newest tries',
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
    summary: 'Try a failed job of anybody again, with all of its tries',
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
    summary: 'Cancel a job of anybody; one that has ended stays as it is',
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
    summary: 'Remove a job of anybody that failed for good',
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
    summary: 'Have a recurring job run now; one that runs already stays as it is',
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
    summary: 'Begin no more jobs of a kind, in any process, until it is resumed; those that run go on',
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
    summary: 'Begin jobs of a kind again',
    params: ByKind,
    returns: z.strictObject({}),
    errors: ['job_kind_not_found'],
  },
})

export const durableJobsArea = area(durableJobsDescription, {
  routes: durableJobsRoutes,
  shapes: { Job, InstanceJob, JobAttempt, JobEvent, JobSummary },
})

/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { z } from 'zod'
import { describeArea } from '../description.ts'

export const durableJobsDescription = describeArea({
  name: 'durable-jobs',
  tag: 'durable-jobs',
  errors: {
    job_kind_not_found: [404, 'Job type not found.'],
    job_not_failed: [409, 'Only failed jobs can be retried.'],
    job_repeated: [409, 'The same work is already queued or running as a newer job.'],
    job_not_recurring: [409, 'Only recurring jobs can be run now.'],
    job_kind_paused: [409, 'Jobs of this type are paused. Resume them first.'],
    job_recurring: [409, 'Recurring jobs can’t be cancelled.'],
  },
  events: {
    'job-changed': z.strictObject({ id: z.string() }),
  },
  audit: ['job.retry', 'job.cancel', 'job.dismiss', 'job.run', 'job.pause', 'job.resume'],
  scopes: ['read', 'write'],
})

/** What the rest of the product derives from this area: its error codes, events, audit actions, scopes and kinds. */
import { z } from 'zod'
import { describeArea } from '../description.ts'

export const durableJobsDescription = describeArea({
  name: 'durable-jobs',
  tag: 'durable-jobs',
  events: {
    'job-changed': z.strictObject({ id: z.string() }),
  },
  scopes: ['read', 'write'],
})

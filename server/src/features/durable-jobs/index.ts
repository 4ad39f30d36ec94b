/**
 * What an account may see and do with its own jobs: list, read, follow, cancel.
 * It starts none, and shows neither those of other accounts nor those of the instance.
 */
import { durableJobsRoutes as routes } from '@atrium/contract/durable-jobs'
import { bindRoutes } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Jobs } from '../../platform/jobs/types.ts'

export const createDurableJobs = ({ jobs }: { jobs: Pick<Jobs, 'list' | 'read' | 'follow' | 'cancel'> }) =>
  bindRoutes({
    name: 'durable-jobs',
    routes,
    handlers: {
      list: ({ query }, { caller }) => jobs.list(caller.accountId, query),
      read: async ({ params }, { caller }) => (await jobs.read(caller.accountId, params.id)) ?? missing(),
      events: async ({ params }, { caller, after, signal }) =>
        (await jobs.follow(caller.accountId, params.id, after, signal)) ?? missing(),
      cancel: async ({ params }, { caller }) => (await jobs.cancel(caller.accountId, params.id)) ?? missing(),
    },
  })

const missing = (): never => {
  throw fail('job_not_found')
}

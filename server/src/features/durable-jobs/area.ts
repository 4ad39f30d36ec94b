/** The area of jobs, as `compose()` creates it. */
import { durableJobsArea } from '@atrium/contract/durable-jobs'
import type { Accounts } from '../../core/accounts/index.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import { jobsCheck } from './check.ts'
import { type DurableJobsDeps, createDurableJobs } from './index.ts'

export const durableJobs = defineArea(durableJobsArea)<
  { readonly accounts: Accounts },
  Pick<DurableJobsDeps, 'processes'>
>()({
  needs: ['accounts'],
  create: ({ jobs, clock }, { accounts }, _settings, { processes }) => ({
    ...createDurableJobs({ jobs, processes, clock, namesOf: accounts.accountNames.names }),
    // What passes in it tells administrators who look at jobs that some moved; nothing is kept.
    followedStreams: async (accountId: string) =>
      (await accounts.user(accountId))?.role === 'admin' ? [{ id: 'jobs', accountId: null }] : [],
    checks: [jobsCheck({ jobs, clock })],
    api: undefined,
  }),
})

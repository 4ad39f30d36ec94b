/** The area of jobs, as `compose()` creates it. */
import { durableJobsArea } from '@atrium/contract/durable-jobs'
import type { Accounts } from '../../core/accounts/index.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import { jobsCheck } from './check.ts'
import { createDurableJobs } from './index.ts'

export const durableJobs = defineArea(durableJobsArea)<{ readonly accounts: Accounts }>()({
  needs: ['accounts'],
  create: ({ jobs, clock }, { accounts }) => ({
    ...createDurableJobs({ jobs, namesOf: accounts.accountNames.names }),
    checks: [jobsCheck({ jobs, clock })],
    api: undefined,
  }),
})

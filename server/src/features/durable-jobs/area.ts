/** The area of jobs, as `compose()` creates it. */
import { durableJobsArea } from '@atrium/contract/durable-jobs'
import { defineArea } from '../../platform/areas/define-area.ts'
import { createDurableJobs } from './index.ts'

export const durableJobs = defineArea(durableJobsArea)()({
  needs: [],
  create: (platform) => ({ ...createDurableJobs(platform), api: undefined }),
})

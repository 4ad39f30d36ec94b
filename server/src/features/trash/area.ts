/** The area of the trash, as `compose()` creates it. */
import { trashArea } from '@atrium/contract/trash'
import type { ResourceRegistry } from '../../core/resources/index.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import { createTrash, trashPurgeJob } from './index.ts'

export const trash = defineArea(trashArea)<{ resources: ResourceRegistry }>()({
  needs: ['resources'],
  create: ({ clock }, { resources }) => ({
    ...createTrash({ clock, resources }),
    api: undefined,
    every: [[trashPurgeJob, 3600_000]],
  }),
})

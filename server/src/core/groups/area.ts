/** The area of groups, as `compose()` creates it. */
import { groupsArea } from '@atrium/contract/groups'
import { defineArea } from '../../platform/areas/define-area.ts'
import type { Accounts } from '../accounts/index.ts'
import { createGroupsArea, groupMigrations, groupSealed } from './index.ts'

export const groups = defineArea(groupsArea)<{ accounts: Accounts }>()({
  needs: ['accounts'],
  migrations: groupMigrations,
  sealed: groupSealed,
  create(platform, needs) {
    const api = createGroupsArea({ ...platform, ...needs })
    return { handlers: api.handlers, api, stop: api.close }
  },
})

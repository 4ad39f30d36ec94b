/**
 * The accounts of the instance and their groups, for its administrators: find, make, let in, change, disable, turn
 * down; put together. There is always an active administrator: the last one can be neither disabled nor demoted.
 * It reads names and standing alone, never what an account has; deleting accounts is another area.
 */
import { userAdministration as routes } from '@atrium/contract/user-administration'
import type { Accounts } from '../../core/accounts/index.ts'
import type { Audit } from '../../platform/audit/index.ts'
import { type Area, defineArea } from '../../platform/http/area.ts'
import { groupHandlers } from './groups.ts'
import { holdHandlers } from './credentials.ts'
import { peopleHandlers } from './people.ts'

export type Room = Pick<Accounts, 'administration' | 'groups' | 'resetSecondFactor' | 'sourceNames'> & {
  readonly audit: Audit
}

export const userAdministration = (room: Room): Area =>
  defineArea({
    name: 'user-administration',
    routes,
    handlers: { ...peopleHandlers(room), ...holdHandlers(room), ...groupHandlers(room) },
  })

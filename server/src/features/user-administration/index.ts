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
import { credentialHandlers } from './credentials.ts'
import { accountHandlers } from './people.ts'

export type UserAdministrationContext = Pick<
  Accounts,
  'administration' | 'groups' | 'resetSecondFactor' | 'sourceNames'
> & {
  readonly audit: Audit
}

export const userAdministration = (areas: UserAdministrationContext): Area =>
  defineArea({
    name: 'user-administration',
    routes,
    handlers: { ...accountHandlers(areas), ...credentialHandlers(areas), ...groupHandlers(areas) },
  })

/**
 * The accounts of the instance, for its administrators: find, make, invite, let in, change, disable, turn down. There is
 * always an active administrator: the last one can be neither disabled nor demoted. It reads names and status alone,
 * never what an account has; deleting accounts is another area.
 */
import { groupsRoutes } from '@atrium/contract/groups'
import { userAdministrationRoutes } from '@atrium/contract/user-administration'
import { type Area, defineArea } from '../../platform/http/area.ts'
import { accountHandlers } from './accounts.ts'
import type { UserAdministrationContext } from './context.ts'
import { credentialHandlers } from './credentials.ts'
import { invitationHandlers } from './invitations.ts'

export const userAdministration = (areas: UserAdministrationContext): Area =>
  defineArea({
    name: 'user-administration',
    routes: { ...userAdministrationRoutes, ...groupsRoutes },
    handlers: {
      ...accountHandlers(areas),
      ...credentialHandlers(areas),
      ...invitationHandlers(areas),
      ...areas.groups.handlers,
    },
  })

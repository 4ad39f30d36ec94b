/**
 * The accounts of the instance, for its administrators: find, make, invite, let in, change, disable, turn down. There is
 * always an active administrator: the last one can be neither disabled nor demoted. It reads names and status alone,
 * never what an account has; deleting accounts is another area.
 */
import { userAdministrationRoutes } from '@atrium/contract/user-administration'
import { bindRoutes } from '../../platform/http/area.ts'
import { accountHandlers } from './accounts.ts'
import type { UserAdministrationContext } from './context.ts'
import { credentialHandlers } from './credentials.ts'
import { importHandlers } from './import.ts'
import { invitationHandlers } from './invitations.ts'
import { previewHandlers } from './preview.ts'
import { peopleTableHandlers } from './people-table.ts'

export const createUserAdministration = (areas: UserAdministrationContext) =>
  bindRoutes({
    name: 'user-administration',
    routes: userAdministrationRoutes,
    handlers: {
      ...accountHandlers(areas),
      ...credentialHandlers(areas),
      ...peopleTableHandlers(areas),
      ...invitationHandlers(areas),
      ...importHandlers(areas),
      ...previewHandlers(areas),
    },
  })

/** What several parts of the pages of tool servers ask for, and what they do after a change. */
import { personalServersRoutes, toolServersRoutes as routes, toolSignInRoutes } from '@atrium/contract/tool-servers'
import { onAccountEvent } from '../../../api/account-events.ts'
import { queryOf, refresh } from '../../../api/query.ts'

export const serversQuery = queryOf(routes.servers)
export const policyQuery = queryOf(personalServersRoutes.personalServersPolicy)
export const serverQuery = (id: string) => queryOf(routes.server, { params: { id } })

/** After a server, its tools or who may use it changed. */
export const refreshServers = (): Promise<unknown> =>
  Promise.all([
    refresh(routes.servers),
    refresh(routes.server),
    refresh(routes.serverChanges),
    refresh(personalServersRoutes.personalServerChanges),
    refresh(personalServersRoutes.personalServersPolicy),
    refresh(routes.serverHealth),
    refresh(toolSignInRoutes.toolSignIn),
  ])

onAccountEvent('tool-servers-changed', () => void refreshServers())

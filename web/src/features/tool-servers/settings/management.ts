/** The routes by which a server is managed: shared ones by administrators, personal ones by their owner. */
import {
  personalServersRoutes as personal,
  type ToolServer,
  toolServersRoutes,
  toolSignInRoutes,
} from '@atrium/contract/tool-servers'
import type { Call } from '@atrium/contract/route'
import { call } from '../../../api/client.ts'
import { queryOf } from '../../../api/query.ts'
import { links } from '../../../lib/links.ts'

const shared = { ...toolServersRoutes, ...toolSignInRoutes }

type Managed = Pick<ToolServer, 'id' | 'personal'>
export type ServerChange = Call<typeof personal.updatePersonalServer>['body']

export const changeServer = ({ id, personal: isOwn }: Managed, body: ServerChange): Promise<ToolServer> =>
  isOwn
    ? call(personal.updatePersonalServer, { params: { id }, body })
    : call(shared.updateServer, { params: { id }, body })

export const loadTools = ({ id, personal: isOwn }: Managed): Promise<ToolServer> =>
  call(isOwn ? personal.refreshPersonalServer : shared.refreshServer, { params: { id } })

export const replaceDocument = ({ id, personal: isOwn }: Managed, document: string): Promise<ToolServer> =>
  call(isOwn ? personal.updatePersonalDocument : shared.updateDocument, { params: { id }, body: { document } })

export const deleteServer = ({ id, personal: isOwn }: Managed): Promise<unknown> =>
  call(isOwn ? personal.removePersonalServer : shared.removeServer, { params: { id } })

export const changeTool = (
  { id, personal: isOwn }: Managed,
  toolName: string,
  body: Call<typeof shared.updateTool>['body'],
): Promise<unknown> => call(isOwn ? personal.updatePersonalTool : shared.updateTool, { params: { id, toolName }, body })

export const changesQuery = ({ id, personal: isOwn }: Managed) =>
  queryOf(isOwn ? personal.personalServerChanges : shared.serverChanges, { params: { id } })

export const acceptChanges = (
  { id, personal: isOwn }: Managed,
  body: Call<typeof shared.acceptChanges>['body'],
): Promise<ToolServer> => call(isOwn ? personal.acceptPersonalChanges : shared.acceptChanges, { params: { id }, body })

export const oauthClientQuery = ({ id, personal: isOwn }: Managed) =>
  queryOf(isOwn ? personal.personalOAuthClient : shared.toolOAuthClient, { params: { id } })

export const saveOAuthClient = (
  { id, personal: isOwn }: Managed,
  body: Call<typeof shared.saveToolOAuthClient>['body'],
): Promise<unknown> =>
  call(isOwn ? personal.savePersonalOAuthClient : shared.saveToolOAuthClient, { params: { id }, body })

export const deleteOAuthClient = ({ id, personal: isOwn }: Managed): Promise<unknown> =>
  call(isOwn ? personal.removePersonalOAuthClient : shared.removeToolOAuthClient, { params: { id } })

/** The page that the server is managed on, and the list that it stands in. */
export const pageOf = ({ id, personal: isOwn }: Managed): string =>
  isOwn ? links.personalToolServer(id) : links.toolServer(id)
export const listOf = ({ personal: isOwn }: Managed): string => links.settings(isOwn ? 'tools' : 'tool-servers')

/**
 * Tool servers of one account: it alone sees, manages and uses them, where an administrator allows that. They lie at public
 * addresses and are reached over HTTPS, whatever the operator allows for others.
 */
import {
  type personalServersRoutes,
  mostPersonalToolServers,
  type toolSignInRoutes,
} from '@atrium/contract/tool-servers'
import type { Caller, Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { OutboundGate } from '../../platform/outbound/types.ts'
import type { Circuits } from './circuits.ts'
import { allowsPersonal, type ToolServerContext, type ToolServersDeps } from './context.ts'
import { registrationHandlers } from './registration.ts'

type ClientHandlers = Pick<
  Handlers<typeof toolSignInRoutes>,
  'toolOAuthClient' | 'saveToolOAuthClient' | 'removeToolOAuthClient'
>

/** Leads nowhere once people may have none of their own any more. */
export const createPersonalGate = ({
  outbound: { toPublic },
  personal,
}: Pick<ToolServersDeps, 'outbound' | 'personal'>): OutboundGate => ({
  async check(address) {
    if (!(await allowsPersonal({ personal }))) throw fail('personal_tool_servers_off')
    const url = await toPublic.check(address)
    if (url.protocol !== 'https:')
      throw fail('url_not_allowed', 'Enter an address that begins with https:// for a personal tool server.')
    return url
  },
  request: (url, request) => toPublic.request(url, request),
})

export const personalHandlers = (
  context: ToolServerContext,
  circuits: Circuits,
  clients: ClientHandlers,
): Handlers<typeof personalServersRoutes> => {
  const { announceAll, personal, store } = context
  const own = registrationHandlers(context, circuits, 'personal')
  const readPolicy = async () => {
    const { allowed } = await personal.read()
    return { allowed: allowed.value, lockedByEnv: allowed.source === 'environment', limit: mostPersonalToolServers }
  }
  const requireOwn = async (id: string, { accountId }: Caller): Promise<void> => {
    if ((await store.read(id))?.ownerId !== accountId) throw fail('tool_server_not_found')
  }
  return {
    personalServersPolicy: readPolicy,

    async updatePersonalServersPolicy({ body: { allowed } }) {
      await personal.change({ allowed })
      await announceAll({ type: 'tool-servers-changed', data: {} })
      return await readPolicy()
    },

    addPersonalServer: (input, call) => own.addServer({ ...input }, call),
    updatePersonalServer: (input, call) => own.updateServer({ ...input }, call),
    removePersonalServer: (input, call) => own.removeServer({ ...input }, call),
    refreshPersonalServer: (input, call) => own.refreshServer({ ...input }, call),
    updatePersonalDocument: (input, call) => own.updateDocument({ ...input }, call),
    personalServerChanges: (input, call) => own.serverChanges({ ...input }, call),
    acceptPersonalChanges: (input, call) => own.acceptChanges({ ...input }, call),
    updatePersonalTool: (input, call) => own.updateTool({ ...input }, call),

    async personalOAuthClient(input, call) {
      await requireOwn(input.params.id, call.caller)
      return await clients.toolOAuthClient({ ...input }, call)
    },
    async savePersonalOAuthClient(input, call) {
      await requireOwn(input.params.id, call.caller)
      return await clients.saveToolOAuthClient({ ...input }, call)
    },
    async removePersonalOAuthClient(input, call) {
      await requireOwn(input.params.id, call.caller)
      return await clients.removeToolOAuthClient({ ...input }, call)
    },
  }
}

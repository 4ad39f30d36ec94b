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
import { allowsPersonal, personalFeature, type ToolServerContext, type ToolServersDeps } from './context.ts'
import { registrationHandlers } from './registration.ts'

type ClientHandlers = Pick<
  Handlers<typeof toolSignInRoutes>,
  'toolOAuthClient' | 'saveToolOAuthClient' | 'removeToolOAuthClient'
>

/** Leads nowhere once the account may have none of its own any more. */
export const createPersonalGate = (
  deps: Pick<ToolServersDeps, 'features' | 'outbound'>,
  ownerId: string,
): OutboundGate => {
  const gate = createPublicGate(deps)
  return {
    async check(address) {
      if (!(await allowsPersonal(deps, ownerId))) throw fail('personal_tool_servers_off')
      return await gate.check(address)
    },
    request: gate.request,
  }
}

/** Leads to public addresses alone, over HTTPS. */
export const createPublicGate = ({ outbound: { toPublic } }: Pick<ToolServersDeps, 'outbound'>): OutboundGate => ({
  async check(address) {
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
  const { announceAll, features, savePersonal, store } = context
  const own = registrationHandlers(context, circuits, 'personal')
  const readPolicy = async ({ accountId, role }: Pick<Caller, 'accountId' | 'role'>) => {
    const [{ source }, allowed] = await Promise.all([
      features.rule(personalFeature),
      allowsPersonal(context, accountId, role),
    ])
    return { allowed, lockedByEnv: source === 'environment', limit: mostPersonalToolServers }
  }
  const requireOwn = async (id: string, { accountId }: Caller): Promise<void> => {
    if ((await store.read(id))?.ownerId !== accountId) throw fail('tool_server_not_found')
  }
  return {
    personalServersPolicy: (_input, { caller }) => readPolicy(caller),

    async updatePersonalServersPolicy({ body: { allowed } }, { caller }) {
      await savePersonal(allowed)
      await announceAll({ type: 'tool-servers-changed', data: {} })
      return await readPolicy(caller)
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

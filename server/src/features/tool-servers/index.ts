/**
 * Tool servers: administrators register them, everybody who may use one saves an own secret for it, and models are offered
 * their tools. Definitions are taken over once, and what changes at a server afterwards is offered only when an
 * administrator has accepted it. It believes nothing that a server says of itself, connects to nothing before it is asked,
 * and calls no address but the one that was registered.
 */
import type { toolServersRoutes } from '@atrium/contract/tool-servers'
import { actorOf } from '../../platform/audit/index.ts'
import type { Caller, Context, Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import { createOpenAuth, requireSendable } from './auth.ts'
import { type Circuits, createCircuits } from './circuits.ts'
import { isOn, reachableOf, type ToolServerContext, type ToolServersDeps } from './context.ts'
import { createMcpKind } from './mcp/index.ts'
import { createOpenApiKind } from './openapi/index.ts'
import { toHealth, toolsFor, toToolServer } from './present.ts'
import { registrationHandlers } from './registration.ts'
import { createLocalServers } from './stdio/index.ts'
import { toolServerResources } from './resources.ts'
import { createToolSource } from './source.ts'
import { createToolServerStore, type StoredServer } from './store.ts'
import { numberEvents, tryServer } from './trial.ts'

export const createToolServers = (deps: ToolServersDeps) => {
  const store = createToolServerStore(deps)
  const local = createLocalServers(deps.stdioFile)
  const context: ToolServerContext = {
    ...deps,
    store,
    local,
    kinds: { mcp: createMcpKind(deps, local), openapi: createOpenApiKind(deps) },
    openAuth: createOpenAuth(store),
  }
  const circuits = createCircuits(context)
  return {
    handlers: { ...registrationHandlers(context, circuits), ...ownHandlers(context, circuits) },
    resources: toolServerResources(context),
    source: createToolSource(context, circuits),
    accountRemoved: store.removeAccount,
    start: () => local.register(store, deps.clock),
    async stop() {
      for (const kind of Object.values(context.kinds)) await kind.close()
    },
  }
}

type OwnRoutes = Pick<
  typeof toolServersRoutes,
  'servers' | 'server' | 'saveCredential' | 'removeCredential' | 'serverHealth' | 'testServer'
>

/** What everybody may do who may use a server. */
const ownHandlers = (context: ToolServerContext, circuits: Circuits): Handlers<OwnRoutes> => {
  const { audit, clock, kinds, store } = context

  const isAdmin = (caller: Caller): boolean => caller.role === 'admin'
  /** One that is switched off is there for administrators alone. */
  const visible = async (caller: Caller, servers: readonly StoredServer[]): Promise<StoredServer[]> =>
    isAdmin(caller)
      ? [...servers]
      : await reachableOf(
          context,
          caller.accountId,
          servers.filter((server) => isOn(context, server)),
        )
  const require = async (id: string, caller: Caller): Promise<StoredServer> => {
    const server = await store.read(id)
    const [found] = server ? await visible(caller, [server]) : []
    if (!found) throw fail('tool_server_not_found')
    return found
  }
  const present = async (server: StoredServer, caller: Caller) =>
    toToolServer(server, (await store.credentials(caller.accountId)).get(server.id), isAdmin(caller))

  const changeCredential = async (
    id: string,
    call: Context<Caller>,
    action: 'tool-server-credential.save' | 'tool-server-credential.delete',
    secret: string | null,
  ) => {
    const { caller } = call
    const { accountId } = caller
    const server = await require(id, caller)
    const also = (trx: Parameters<typeof audit.recordIn>[0]) =>
      audit.recordIn(trx, { ...actorOf(call), action, target: { type: 'tool-server', id }, details: {} })
    if (secret === null) await store.removeCredential(accountId, id, also)
    else await store.saveCredential(accountId, server, secret, also)
    await store.forgetHealth(id, accountId)
    kinds[server.kind].forget(id, accountId)
    await context.announce(accountId, { type: 'tool-servers-changed', data: {} })
    return await present(server, caller)
  }

  return {
    async servers(_input, { caller }) {
      const [servers, credentials] = await Promise.all([
        store.list().then((all) => visible(caller, all)),
        store.credentials(caller.accountId),
      ])
      const items = servers.map((server) => toToolServer(server, credentials.get(server.id), isAdmin(caller)))
      return { items, nextCursor: null }
    },

    async server({ params: { id } }, { caller }) {
      const server = await require(id, caller)
      return { server: await present(server, caller), tools: toolsFor(server, isAdmin(caller)) }
    },

    async saveCredential({ params: { id }, body: { secret } }, call) {
      requireSendable(secret)
      return await changeCredential(id, call, 'tool-server-credential.save', secret)
    },

    removeCredential: ({ params: { id } }, call) => changeCredential(id, call, 'tool-server-credential.delete', null),

    async testServer({ params: { id } }, { caller, signal }) {
      const server = await require(id, caller)
      return numberEvents(tryServer(context, circuits, server, caller.accountId, signal))
    },

    async serverHealth({ params: { id } }, { caller }) {
      const server = await require(id, caller)
      return toHealth((await store.health(caller.accountId)).get(server.id), clock.now())
    },
  }
}

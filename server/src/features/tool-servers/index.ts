/**
 * Tool servers: administrators register them, everybody who may use one saves a secret of their own or signs in there, and
 * models are offered their tools; where administrators allow it, people have some of their own, which nobody else sees.
 * Tools are offered only as whoever manages the server accepted them: what changes at a server waits.
 * It believes nothing that a server says of itself, connects to nothing before it is asked, and calls no address but the
 * one that was registered.
 */
import type { toolServersRoutes } from '@atrium/contract/tool-servers'
import { actorOf } from '../../platform/audit/index.ts'
import type { Caller, Context, Handlers } from '../../platform/http/area.ts'
import { createOpenAuth, requireSendable } from './auth.ts'
import { toolServersCheck } from './check.ts'
import { type Circuits, createCircuits } from './circuits.ts'
import { contentHandlers } from './content.ts'
import {
  allowsPersonal,
  canManage,
  proofsOf,
  reachableOf,
  requireVisible,
  type ToolServerContext,
  type ToolServersDeps,
  usableServers,
  visibleTo,
} from './context.ts'
import { createKindOnUse } from './kind-on-use.ts'
import { createToolOAuth, documentUrlOf } from './oauth/index.ts'
import { createNotices } from './notices.ts'
import { createOpenApiKind } from './openapi/index.ts'
import { createPersonalGate, createPublicGate, personalHandlers } from './personal.ts'
import { toHealth, toolsFor, toToolServer } from './present.ts'
import { registrationHandlers } from './registration.ts'
import { createLocalServers } from './stdio/index.ts'
import { toolServerResources } from './resources.ts'
import { createToolSource } from './source.ts'
import { createToolServerStore, type StoredServer } from './store.ts'
import { recheckDefinitions } from './save-definitions.ts'
import { numberEvents, tryServer } from './trial.ts'

export const createToolServers = (deps: ToolServersDeps) => {
  const store = createToolServerStore(deps)
  const local = createLocalServers(deps.stdioFile)
  const notices = createNotices(deps)
  const changed = (serverId: string, accountId: string, list: 'tools' | 'content'): void =>
    notices.notice(`${serverId} ${accountId} ${list}`, async () => {
      if (list === 'content') return await deps.announce(accountId, { type: 'tool-servers-changed', data: {} })
      const server = (await usableServers(context, accountId)).find(({ id }) => id === serverId)
      if (server) await recheckDefinitions(context, circuits, server, accountId)
      // Nothing stays open for whoever may not use it any more.
      else kinds.mcp.forget(serverId, accountId)
    })
  const mcp = createKindOnUse(async () =>
    (await import('./mcp/index.ts')).createMcpKind({ version: deps.version, local, changed }),
  )
  const kinds = { mcp, openapi: createOpenApiKind() }
  const oauth = createToolOAuth({
    ...deps,
    personalGate: createPublicGate(deps),
    ownerOf: async (id) => (await store.read(id))?.ownerId ?? null,
    allowsPersonal: (ownerId) => allowsPersonal(deps, ownerId),
    requireServer: (caller, id) => requireVisible({ ...deps, store, local }, id, caller),
    exists: async (id) => (await store.read(id)) !== null,
    async mayUse(accountId, id) {
      const server = await store.read(id)
      return server !== null && (await reachableOf(deps, accountId, [server])).length > 0
    },
    async changed(accountId, id) {
      await store.forgetHealth(id, accountId)
      for (const kind of Object.values(kinds)) kind.forget(id, accountId)
      await deps.announce(accountId, { type: 'tool-servers-changed', data: {} })
    },
    documentUrl: (id) => documentUrlOf(deps.baseUrl, id),
  })
  const { signedIn, endSignIns } = oauth
  const openAuth = createOpenAuth(store, oauth.openAuth)
  const context: ToolServerContext = {
    ...deps,
    store,
    local,
    kinds,
    gateOf: ({ ownerId }) => (ownerId === null ? deps.outbound : createPersonalGate(deps, ownerId)),
    openAuth,
    signedIn,
    endSignIns,
  }
  const circuits = createCircuits(context)
  return {
    handlers: {
      ...registrationHandlers(context, circuits, 'shared'),
      ...personalHandlers(context, circuits, oauth.handlers),
      ...ownHandlers(context, circuits),
      ...contentHandlers(context, circuits),
      ...oauth.handlers,
    },
    resources: toolServerResources(context),
    source: createToolSource(context, circuits),
    checks: [toolServersCheck({ store, local, countEndedSignIns: oauth.countEnded })],
    async accountRemoved(accountId: string) {
      await endSignIns({ accountId })
      await store.removeAccount(accountId)
    },
    start: () => local.register(store, deps.clock),
    async stop() {
      notices.stop()
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

  const require = (id: string, caller: Caller): Promise<StoredServer> => requireVisible(context, id, caller)
  const present = async (server: StoredServer, caller: Caller) =>
    toToolServer(server, (await proofsOf(context, caller.accountId))(server), canManage(caller, server))

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
      const [shared, own, hasProof] = await Promise.all([
        store.listShared(),
        store.listOwn(caller.accountId),
        proofsOf(context, caller.accountId),
      ])
      const servers = await visibleTo(context, caller, [...shared, ...own])
      const items = servers.map((server) => toToolServer(server, hasProof(server), canManage(caller, server)))
      return { items, nextCursor: null }
    },

    async server({ params: { id } }, { caller }) {
      const server = await require(id, caller)
      return { server: await present(server, caller), tools: toolsFor(server, canManage(caller, server)) }
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

/** Handlers for whoever manages servers: registering them, and what is decided about their tools. */
import { type ToolServer, type toolServersRoutes, toolResponseSizes, toolTimeouts } from '@atrium/contract/tool-servers'
import { actorOf } from '../../platform/audit/index.ts'
import type { AnyTransaction } from '../../platform/db/types.ts'
import type { Caller, Context, Handlers } from '../../platform/http/area.ts'
import { conflictWith, fail } from '../../platform/http/refusal.ts'
import type { OutboundGate } from '../../platform/outbound/types.ts'
import type { Circuits } from './circuits.ts'
import { allowsPersonal, announceServer, auditNameOf, proofsOf, type ToolServerContext, toolIdOf } from './context.ts'
import { digestOfAll } from './definitions.ts'
import { type DiscoveredTools, ServerFault } from './kind.ts'
import { toServerTool, toToolServer } from './present.ts'
import { acceptChanges, changesOf, stateOf } from './rules.ts'
import { isLocal } from './stdio/file.ts'
import { noTools, type StoredServer } from './store.ts'
import { saveDefinitions } from './save-definitions.ts'

type Routes = Pick<
  typeof toolServersRoutes,
  | 'addServer'
  | 'updateServer'
  | 'removeServer'
  | 'refreshServer'
  | 'updateDocument'
  | 'serverChanges'
  | 'acceptChanges'
  | 'updateTool'
>

/** What the transport says itself, and what names another host or who somebody is. */
const ownHeaders =
  /^(host|authorization|cookie|content-.*|transfer-encoding|connection|upgrade|te|trailer|proxy-.*|accept|accept-encoding|mcp-.*)$/i

/** `shared`: those of the instance, for administrators. `personal`: the caller's own. */
export const registrationHandlers = (
  context: ToolServerContext,
  circuits: Circuits,
  scope: 'shared' | 'personal',
): Handlers<Routes> => {
  const { audit, clock, kinds, store } = context

  const ownerFor = ({ accountId }: Caller): string | null => (scope === 'shared' ? null : accountId)
  const read = async (id: string, caller: Caller): Promise<StoredServer> => {
    const server = await store.read(id)
    if (server?.ownerId !== ownerFor(caller)) throw fail('tool_server_not_found')
    return server
  }
  const present = async (id: string, caller: Caller): Promise<ToolServer> => {
    const server = await read(id, caller)
    return toToolServer(server, (await proofsOf(context, caller.accountId))(server), true)
  }

  const recorded =
    (call: Context<Caller>, action: Parameters<typeof audit.record>[0]['action'], id: string, details = {}) =>
    (trx: AnyTransaction): Promise<void> =>
      audit.recordIn(trx, { ...actorOf(call), action, target: { type: 'tool-server', id }, details })

  /** Changes a server; whoever was quicker is not overwritten. */
  const change = async (
    before: StoredServer,
    next: Partial<StoredServer>,
    also: (trx: AnyTransaction) => Promise<void>,
  ): Promise<void> => {
    if (!(await store.replace(before, { ...before, ...next }, also)))
      throw conflictWith({ id: before.id, name: before.name })
    await announceServer(context, before)
  }

  /** Asks for the tools, and keeps what came: the first ones are taken over, what differs later waits. */
  const discover = async (server: StoredServer, call: Context<Caller>): Promise<void> => {
    const found = await circuits.ask(
      server,
      call.caller.accountId,
      (link) => kinds[server.kind].discover(link, call.signal),
      { always: true, revisionOf: ({ revision }) => revision },
    )
    await saveDefinitions(context, server, found, actorOf(call))
  }

  /** Refuses what is wrong with a document in words, before anything is stored. */
  const readUploaded = async (
    kind: StoredServer['kind'],
    document: string,
    baseUrl: string,
    signal: AbortSignal,
  ): Promise<DiscoveredTools> => {
    const { readDocument } = kinds[kind]
    if (!readDocument) throw invalid('document', 'only OpenAPI servers have one')
    return await readDocument(document, baseUrl, signal).catch((error: unknown) => {
      if (!(error instanceof ServerFault)) throw error
      // A sentence for whoever chose the file.
      throw fail('validation_failed', error.message, [{ path: 'body.document', message: error.message }])
    })
  }

  return {
    async addServer({ body }, call) {
      requireHeaders(body.headers)
      const ownerId = ownerFor(call.caller)
      if (ownerId !== null && !(await allowsPersonal(context, ownerId))) throw fail('personal_tool_servers_off')
      const gate = context.gateOf({ ownerId })
      const url = await gate.check(body.baseUrl)
      if (url.username || url.password || url.hash) throw invalid('baseUrl', 'leave out user names, passwords and #…')
      const { name, kind, document, accessMode = 'admins-only', enabled = true } = body
      const specUrl = await readSpecUrl(gate, body)
      const uploaded = document === undefined ? null : await readUploaded(kind, document, url.href, call.signal)
      const now = clock.now()
      const server: StoredServer = {
        id: clock.id(),
        ownerId,
        name,
        kind,
        description: body.description || null,
        baseUrl: url.href,
        specUrl,
        isUploaded: document !== undefined,
        ...authOf(body.authMode ?? 'none', body.authHeader ?? null),
        headers: body.headers ?? {},
        accessMode,
        enabled,
        timeoutMs: body.timeoutMs ?? toolTimeouts.usual,
        maxResponseBytes: body.maxResponseBytes ?? toolResponseSizes.usual,
        tools: noTools,
        version: 1,
        createdAt: now,
        updatedAt: now,
      }
      const details = {
        kind,
        host: url.host,
        authMode: server.authMode,
        ...(ownerId === null ? { accessMode } : { personal: true }),
      }
      if (!(await store.add(server, recorded(call, 'tool-server.create', server.id, details))))
        throw fail(ownerId === null ? 'tool_server_limit' : 'personal_tool_server_limit')
      // It stands, whatever comes of this: what went wrong is told by its health, and it can be asked again.
      if (uploaded) await saveDefinitions(context, server, uploaded, actorOf(call))
      else if (server.authMode === 'none') await discover(server, call).catch(unlessFault)
      await announceServer(context, server)
      return await present(server.id, call.caller)
    },

    async updateServer({ params: { id }, body }, call) {
      const before = await read(id, call.caller)
      requireHeaders(body.headers)
      if (isLocal(before) && ['authMode', 'authHeader', 'headers'].some((field) => field in body))
        throw invalid('authMode', 'a program on this machine takes none')
      const { authMode = before.authMode, authHeader = before.authHeader, ...others } = body
      const next = { ...definedOf(others), ...authOf(authMode, authHeader) }
      const fields = Object.keys(body)
      await change(before, next, recorded(call, 'tool-server.update', id, { fields }))
      await store.forgetHealth(id)
      for (const kind of Object.values(kinds)) kind.forget(id)
      return await present(id, call.caller)
    },

    async removeServer({ params: { id } }, call) {
      const server = await read(id, call.caller)
      await context.endSignIns({ serverId: id })
      const removed = await store.remove(id, async (trx) => {
        await recorded(call, 'tool-server.delete', id)(trx)
        await context.access.removeGrants('tool-server', [id], trx)
      })
      if (!removed) throw fail('tool_server_not_found')
      kinds[server.kind].forget(id)
      await context.endStanding([`server:${id}`, ...server.tools.accepted.map(({ name }) => toolIdOf(id, name))])
      await announceServer(context, server)
      return {}
    },

    async refreshServer({ params: { id } }, call) {
      const server = await read(id, call.caller)
      if (server.isUploaded)
        throw fail('tool_server_failed', 'This server’s document was uploaded. Upload a new one instead.')
      kinds[server.kind].forget(id, call.caller.accountId)
      await discover(server, call).catch(unlessTold)
      return await present(id, call.caller)
    },

    async updateDocument({ params: { id }, body: { document } }, call) {
      const before = await read(id, call.caller)
      const uploaded = await readUploaded(before.kind, document, before.baseUrl, call.signal)
      await saveDefinitions(context, { ...before, isUploaded: true, specUrl: null }, uploaded, actorOf(call))
      return await present(id, call.caller)
    },

    async serverChanges({ params: { id } }, { caller }) {
      const { tools } = await read(id, caller)
      return { items: changesOf(tools.accepted, tools.seen), digest: digestOfAll(tools.seen ?? tools.accepted) }
    },

    async acceptChanges({ params: { id }, body: { digest, names, readOnly = [] } }, call) {
      const server = await read(id, call.caller)
      const { accepted, seen, revision } = server.tools
      if (digest !== digestOfAll(seen ?? accepted)) throw fail('tool_changes_moved')
      if (seen !== null) {
        const all = new Set(changesOf(accepted, seen).map(({ name }) => name))
        const chosen = new Set(names === undefined ? all : names.filter((name) => all.has(name)))
        const next = acceptChanges(accepted, seen, chosen, new Set(readOnly))
        const left = changesOf(next, seen).length > 0 ? seen : null
        const tools = { ...server.tools, revision: revision + 1, accepted: next, seen: left }
        const auditNames = [...chosen].slice(0, 50).map((name) => auditNameOf(context, server, name))
        const details = { tools: auditNames, digest }
        await change(server, { tools }, recorded(call, 'tool-server.accept', id, details))
        await context.endStanding([...chosen].map((name) => toolIdOf(id, name)))
      }
      return await present(id, call.caller)
    },

    async updateTool({ params: { id, toolName }, body }, call) {
      const server = await read(id, call.caller)
      const before = server.tools.accepted.find(({ name }) => name === toolName)
      if (!before) throw fail('server_tool_not_found')
      const after = { ...before, ...definedOf(body) }
      const accepted = server.tools.accepted.map((tool) => (tool === before ? after : tool))
      const { enabled, sideEffect } = after
      const details = { tool: auditNameOf(context, server, toolName), enabled, sideEffect }
      const tools = { ...server.tools, accepted }
      await change(server, { tools }, recorded(call, 'tool-server-tool.update', id, details))
      const ends = stateOf(after, tools.seen) !== 'offered' || !enabled || (sideEffect && !before.sideEffect)
      if (ends) await context.endStanding([toolIdOf(id, toolName)])
      return toServerTool(after, tools)
    },
  }
}

/** Only what was said. */
const definedOf = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }

const authOf = (authMode: StoredServer['authMode'], authHeader: string | null) => {
  if (authMode !== 'header') return { authMode, authHeader: null }
  if (authHeader === null) throw invalid('authHeader', 'name the header that takes the secret')
  if (ownHeaders.test(authHeader) && !/^authorization$/i.test(authHeader))
    throw invalid('authHeader', 'this header is set by the connection itself')
  return { authMode, authHeader }
}

const requireHeaders = (headers: Readonly<Record<string, string>> = {}): void => {
  const entries = Object.entries(headers)
  if (entries.length > 20) throw invalid('headers', 'name at most 20')
  for (const [name, value] of entries) {
    if (!/^[A-Za-z0-9-]+$/.test(name) || ownHeaders.test(name))
      throw invalid(`headers.${name}`, 'choose another header')
    if (!/^[\x20-\x7e]*$/.test(value)) throw invalid(`headers.${name}`, 'it holds characters that no header has')
  }
}

const invalid = (field: string, message: string) =>
  fail('validation_failed', undefined, [{ path: `body.${field}`, message }])

/** Where the document of a server is, where that is said; it must be a place that may be reached. */
const readSpecUrl = async (
  gate: OutboundGate,
  {
    kind,
    specUrl,
    document,
  }: { kind: StoredServer['kind']; specUrl?: string | undefined; document?: string | undefined },
): Promise<string | null> => {
  if (kind !== 'openapi' && specUrl !== undefined) throw invalid('specUrl', 'only OpenAPI servers have one')
  if (specUrl !== undefined && document !== undefined) throw invalid('document', 'give the document or its address')
  if (specUrl === undefined) return null
  const url = await gate.check(specUrl)
  if (url.username || url.password) throw invalid('specUrl', 'leave out user names and passwords')
  return url.href
}

const unlessTold = (error: unknown): never => {
  throw error instanceof ServerFault ? fail('tool_server_failed', error.message) : error
}

const unlessFault = (error: unknown): void => {
  if (!(error instanceof ServerFault)) throw error
}

/** The tools of registered servers, as the catalogue takes them: nothing is asked until one of them is called. */
import type { CatalogTool, ToolSource } from '../../core/tools/index.ts'
import { createCache } from '../../platform/cache/cache.ts'
import { checkArguments } from './check-arguments.ts'
import type { Circuits } from './circuits.ts'
import { proofsOf, type ToolServerContext, toolIdOf, usableServers } from './context.ts'
import { isForAppAlone } from './mcp/apps.ts'
import { createRunTool } from './run.ts'
import { type AcceptedTool, isInternal, modelNameOf, stateOf } from './rules.ts'
import type { StoredServer } from './store.ts'

/** As many sets of servers are kept: accounts that may use the same ones share theirs. */
const mostKept = 20

export const createToolSource = (context: ToolServerContext, circuits: Circuits): ToolSource => {
  const { clock, store } = context
  const runTool = createRunTool(context, circuits)

  /** Gives what makes a tool of the catalogue of each tool of a server. */
  const catalogToolsOf = (server: StoredServer, taken: Set<string>) => {
    const ofAll = {
      source: server.kind,
      server: {
        id: server.id,
        name: server.name,
        reaches: new URL(server.baseUrl).host,
        ...(server.ownerId !== null && { isPersonal: true }),
      },
      timeoutMs: server.timeoutMs,
      readsPrivateData: server.authMode !== 'none' || isInternal(server.baseUrl),
      readsForeignText: true,
      sendsData: true,
    }
    return (tool: AcceptedTool): CatalogTool => {
      const { name, originalName, title, description, inputSchema, sideEffect, digest, call } = tool
      const id = toolIdOf(server.id, name)
      return {
        ...ofAll,
        id,
        name: modelNameOf(server.name, name, id, taken),
        description: title ? `${title}\n${description}` : description,
        parameters: inputSchema,
        digest,
        sideEffect,
        ...(originalName !== name && { nameAtServer: originalName }),
        ...(isForAppAlone(call) && { isForAppAlone: true }),
        check: (args) => checkArguments(inputSchema, args),
        run: (args, asked) =>
          runTool({ serverId: server.id, name, originalName, inputSchema, call, digest }, args, asked),
      }
    }
  }

  /** By the servers that an account may use, each in its version: thousands of tools stay the same from answer to answer. */
  const made = createCache<ReadonlyMap<string, readonly CatalogTool[]>>({ max: mostKept })
  const lists = createCache<readonly CatalogTool[]>({ max: mostKept })
  /** Of each server, in the order of their ids. Names are unique, and stay the same while a server is away. */
  const toolsOf = (servers: readonly StoredServer[]): ReadonlyMap<string, readonly CatalogTool[]> => {
    const key = keyOf(servers)
    const known = made.get(key)
    if (known) return known
    const taken = new Set<string>()
    const tools = new Map(
      servers.map((server) => [
        server.id,
        server.tools.accepted
          .filter((tool) => tool.enabled && stateOf(tool, server.tools.seen) === 'offered')
          .map(catalogToolsOf(server, taken))
          .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      ]),
    )
    made.set(key, tools)
    return tools
  }

  /** The tools of those of the servers that are at hand, as the same object each time. */
  const listOf = (
    all: ReadonlyMap<string, readonly CatalogTool[]>,
    servers: StoredServer[],
    atHand: StoredServer[],
  ) => {
    const key = `${keyOf(servers)} ${atHand.map(({ id }) => id).join(' ')}`
    const known = lists.get(key)
    if (known) return known
    const list = atHand.flatMap(({ id }) => all.get(id) ?? [])
    lists.set(key, list)
    return list
  }

  /** Whether there were any when somebody asked last: what an account has of them is then read beside them. */
  let expectsServers = false
  const readStates = (accountId: string) => Promise.all([proofsOf(context, accountId), store.health(accountId)])

  return {
    async list(accountId, role) {
      const early = expectsServers ? readStates(accountId) : null
      // A failure is handled where it is used.
      early?.catch(() => undefined)
      const servers = await usableServers(context, accountId, role)
      expectsServers = servers.length > 0
      if (servers.length === 0) return { tools: [], notes: [], away: [] }
      const [hasProof, health] = await (early ?? readStates(accountId))
      const all = toolsOf(servers)
      const atHand: StoredServer[] = []
      const notes: string[] = []
      const away: string[] = []
      for (const server of servers) {
        const state = health.get(server.id)
        const needsSecret = ['bearer', 'header', 'basic'].includes(server.authMode)
        const own = all.get(server.id) ?? []
        if (own.length === 0) continue
        const lacksSecret = needsSecret && !hasProof(server)
        const isDown = state?.retry_at !== undefined && state.retry_at !== null && state.retry_at > clock.now()
        if (!lacksSecret && !isDown) {
          atHand.push(server)
          continue
        }
        notes.push(`${server.name}: ${lacksSecret ? 'you haven’t saved a secret for it yet.' : (state?.problem ?? '')}`)
        away.push(...own.map(({ id }) => id))
      }
      return { tools: listOf(all, servers, atHand), notes, away }
    },
    isShared: async (serverId) => (await store.read(serverId))?.ownerId === null,
  }
}

const keyOf = (servers: readonly StoredServer[]): string =>
  servers.map(({ id, version }) => `${id} ${version}`).join(' ')

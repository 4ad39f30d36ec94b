/** Runs a call of a server's tool, for as long as its account may have it run: a right that is taken away ends it. */
import type { CallContext, PinnedTool } from './kind.ts'
import type { ToolOutput } from '../../core/tools/index.ts'
import type { Circuits } from './circuits.ts'
import { type ToolServerContext, usableServers } from './context.ts'
import { ServerFault } from './kind.ts'
import { retryAfterSignIn } from './oauth/index.ts'
import { stateOf } from './rules.ts'
import type { StoredServer } from './store.ts'
import { recheckDefinitions } from './save-definitions.ts'

/** How often the right is looked at while a call runs. */
const watchMs = 600

/** A tool as the catalogue named it. */
export interface NamedTool extends PinnedTool {
  readonly serverId: string
  readonly name: string
  readonly digest: string
}

export const createRunTool = (context: ToolServerContext, circuits: Circuits) => {
  /** The server, where the tool is still what was offered and the account may still use it. */
  const find = async (accountId: string, { serverId, name, digest }: NamedTool): Promise<StoredServer | null> => {
    const server = (await usableServers(context, accountId)).find(({ id }) => id === serverId)
    const tool = server?.tools.accepted.find((each) => each.name === name)
    return server && tool?.enabled && tool.digest === digest && stateOf(tool, server.tools.seen) === 'offered'
      ? server
      : null
  }

  /** Aborts once the account may not use the tool any more. */
  const watch = (accountId: string, tool: NamedTool) => {
    const lost = new AbortController()
    let timer: NodeJS.Timeout | undefined
    let ended = false
    const look = async () => {
      // A database that is away just now takes no right away.
      const still = await find(accountId, tool).catch(() => true)
      if (!still) lost.abort()
      else if (!ended) timer = setTimeout(() => void look(), watchMs)
    }
    timer = setTimeout(() => void look(), watchMs)
    const end = () => {
      ended = true
      clearTimeout(timer)
    }
    return { signal: lost.signal, end }
  }

  return async (tool: NamedTool, args: Record<string, unknown>, call: CallContext): Promise<ToolOutput> => {
    const { accountId } = call
    const server = await find(accountId, tool)
    if (!server) return unavailable
    const right = watch(accountId, tool)
    const signal = AbortSignal.any([call.signal, right.signal])
    try {
      return await retryAfterSignIn(server.id, call.ask, () =>
        circuits.ask(server, accountId, (link) =>
          context.kinds[server.kind].call(link, tool, args, Object.assign({}, call, { signal })),
        ),
      )
    } catch (error) {
      if (!(error instanceof ServerFault)) throw error
      call.signal.throwIfAborted()
      if (right.signal.aborted) return unavailable
      if (error.kind === 'changed') await recheckDefinitions(context, circuits, server, accountId)
      return failed(`${server.name}: ${error.message}`)
    } finally {
      right.end()
    }
  }
}

const failed = (text: string): ToolOutput => ({ text, isError: true })
const unavailable = failed('This tool isn’t available any more.')

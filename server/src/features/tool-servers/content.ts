/** Handlers for people who put resources and prompts of servers into their questions. Nothing of it reaches a model by itself. */
import type { toolContentRoutes } from '@atrium/contract/tool-servers'
import { actorOf } from '../../platform/audit/index.ts'
import type { Caller, Context, Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Circuits } from './circuits.ts'
import { isOn, requireVisible, type ToolServerContext } from './context.ts'
import { type ServerContent, ServerFault, type ServerLink } from './kind.ts'
import type { StoredServer } from './store.ts'

export const contentHandlers = (context: ToolServerContext, circuits: Circuits): Handlers<typeof toolContentRoutes> => {
  /** The server, where the caller may use it now. Refuses with `tool_server_not_found`, or `tool_unavailable` while it is off. */
  const require = async (id: string, caller: Caller): Promise<StoredServer> => {
    const server = await requireVisible(context, id, caller)
    if (!isOn(context, server) || !(await context.mayUseTools(caller.accountId))) throw fail('tool_unavailable')
    return server
  }

  const ask = async <T>(
    id: string,
    { caller, signal }: Context<Caller>,
    work: (content: ServerContent, link: ServerLink, signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    const server = await require(id, caller)
    const { content } = context.kinds[server.kind]
    if (!content) throw fail('tool_server_failed', 'Services with an OpenAPI document have no resources or prompts.')
    try {
      const given = await circuits.ask(server, caller.accountId, (link) => work(content, link, signal))
      // What was taken away meanwhile is given to nobody.
      await require(id, caller)
      return given
    } catch (error) {
      throw error instanceof ServerFault ? fail('tool_server_failed', error.message) : error
    }
  }

  const record = (
    call: Context<Caller>,
    action: 'tool-server-resource.read' | 'tool-server-prompt.read',
    id: string,
  ): Promise<void> =>
    context.audit.record({ ...actorOf(call), action, target: { type: 'tool-server', id }, details: {} })

  return {
    async serverResources({ params: { id } }, call) {
      const { items, templates } = await ask(id, call, ({ listResources }, link, signal) => listResources(link, signal))
      return { items: [...items], templates: [...templates], nextCursor: null }
    },

    async readServerResource({ params: { id }, body }, call) {
      await require(id, call.caller)
      await record(call, 'tool-server-resource.read', id)
      const items = await ask(id, call, ({ readResource }, link, signal) => readResource(link, body, signal))
      return { items: [...items] }
    },

    async serverPrompts({ params: { id } }, call) {
      const items = await ask(id, call, ({ listPrompts }, link, signal) => listPrompts(link, signal))
      return { items: [...items], nextCursor: null }
    },

    async readServerPrompt({ params: { id }, body }, call) {
      await require(id, call.caller)
      await record(call, 'tool-server-prompt.read', id)
      const messages = await ask(id, call, ({ readPrompt }, link, signal) => readPrompt(link, body, signal))
      return { messages: [...messages] }
    },

    async completeServerArgument({ params: { id }, body }, call) {
      const values = await ask(id, call, ({ complete }, link, signal) => complete(link, body, signal))
      return { values: [...values] }
    },
  }
}

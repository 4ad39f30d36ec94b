/**
 * One catalogue of what models may do, one policy of who decides, and one runner: every call of a tool goes through here,
 * with the rights of the account that asks. Areas offer tools in what `create` gives, and servers are sources. It never
 * takes a tool by what a model calls it: the entry of the catalogue decides what runs.
 */
import { fail } from '../../platform/http/refusal.ts'
import { calculateTool } from './builtins/calculate/index.ts'
import { createCurrentTime } from './builtins/current-time.ts'
import { type CatalogItem, createCatalogue } from './catalogue.ts'
import type { ToolsContext, ToolsDeps } from './context.ts'
import { createExecute } from './execute.ts'
import { toolsHandlers } from './handlers.ts'
import { createToolkit } from './toolkit.ts'
import type { Tool, Tools, ToolSource } from './types.ts'

export { toolsSettings } from './settings.ts'
export type * from './types.ts'

/** How many a question may name. */
const mostIds = 64

export const createTools = (deps: ToolsDeps) => {
  const builtins: Tool[] = []
  const sources: ToolSource[] = []
  const readModes = async () => (await deps.settings.read()).builtin.value
  const mayUse = async (accountId: string): Promise<boolean> => {
    const { mode } = await deps.settings.read()
    const role = await deps.roleOf(accountId)
    return role !== null && (mode.value === 'all-users' || (mode.value === 'admins' && role === 'admin'))
  }
  const catalogue = createCatalogue({
    builtins: () => builtins,
    sources: () => sources,
    mayUse,
    builtinModes: readModes,
  })
  const context: ToolsContext = {
    ...deps,
    builtins: () => builtins,
    catalogue,
    execute: createExecute(deps.log),
  }

  /** Those that a question names, or all that run without being asked about. */
  const choose = async (accountId: string, ids: readonly string[] | null): Promise<readonly CatalogItem[]> => {
    if (ids !== null && ids.length > mostIds) throw fail('tool_unavailable')
    const { tools } = await catalogue.list(accountId)
    const usable = tools.filter(({ mode }) => mode === 'allow')
    if (ids === null) return usable
    const known = (id: string) => tools.some((tool) => isMeant(tool, id) && tool.mode !== 'never')
    if (!ids.every(known)) throw fail('tool_unavailable')
    return usable.filter((tool) => ids.some((id) => isMeant(tool, id)))
  }

  const api: Tools = {
    addBuiltins: (tools) => {
      for (const tool of tools) {
        if (builtins.some(({ name }) => name === tool.name)) throw new Error(`The tool ${tool.name} is there twice.`)
        builtins.push(tool)
      }
    },
    addSource: (source) => void sources.push(source),
    async open(request) {
      const tools = await choose(request.accountId, request.ids)
      return tools.length === 0 ? null : createToolkit(context, request, tools)
    },
    requireIds: async (accountId, ids) => void (await choose(accountId, ids)),
    // Nothing waits and nothing is kept: what would be asked about is not offered.
    onDecided: () => undefined,
    denyWaiting: async () => undefined,
    removeChat: async () => undefined,
    endStanding: async () => undefined,
  }
  return {
    api,
    handlers: toolsHandlers(context),
    tools: [createCurrentTime(deps), calculateTool],
  }
}

/** Whether an id names the tool, or the whole of its server. */
const isMeant = ({ id, server }: CatalogItem, wanted: string): boolean =>
  id === wanted || (server !== null && wanted === `server:${server.id}`)

/** What people ask about tools, and what administrators say of them. */
import type { CatalogEntry, toolsRoutes } from '@atrium/contract/tools'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { CatalogItem } from './catalogue.ts'
import type { ToolsContext } from './context.ts'

export const toolsHandlers = ({
  announceAll,
  builtins,
  catalogue,
  settings,
}: ToolsContext): Handlers<typeof toolsRoutes> => {
  const readAccess = async () => {
    const { mode } = await settings.read()
    return { mode: mode.value, lockedByEnv: mode.source === 'environment' }
  }
  const changed = () => announceAll({ type: 'tools-changed', data: {} })

  return {
    access: readAccess,

    async updateAccess({ body: { mode } }) {
      await settings.change({ mode })
      await changed()
      return await readAccess()
    },

    async catalog(_input, { caller }) {
      const { available, tools, notes } = await catalogue.list(caller.accountId)
      return { available, tools: tools.map(toEntry), notes: [...notes] }
    },

    async saveBuiltin({ params: { name }, body: { mode } }) {
      if (!builtins().some((tool) => tool.name === name)) throw fail('tool_not_found')
      await settings.change(({ builtin }) => {
        const { [name]: _, ...others } = builtin.value
        return { builtin: mode === null ? others : { ...others, [name]: mode } }
      })
      await changed()
      return { name, mode }
    },
  }
}

const toEntry = (tool: CatalogItem): CatalogEntry => ({
  id: tool.id,
  name: tool.name,
  description: tool.description,
  source: tool.source,
  serverId: tool.server?.id ?? null,
  serverName: tool.server?.name ?? null,
  sideEffect: tool.sideEffect,
  readsPrivateData: tool.readsPrivateData,
  readsForeignText: tool.readsForeignText,
  sendsData: tool.sendsData,
  mode: tool.mode,
})

/**
 * Agents that are installed on the server: found by their commands, offered as models of chats, and run as processes that
 * end with all that they started. What is run stands in data files of Atrium and of the operator; it refuses to take a
 * command or an argument from anybody in the app.
 */
import { type AgentAccess, agentCliRoutes as routes } from '@atrium/contract/agent-cli'
import { bindRoutes } from '../../platform/http/area.ts'
import type { BoundSettings } from '../../platform/settings/index.ts'
import type { InstalledAgents } from './installed.ts'
import { toAgentModels } from './models.ts'
import type { AccessFields } from './settings.ts'

export { createAgentChats } from './chats.ts'
export { type AgentDefinition, readAgents } from './definition.ts'
export { runningFolder } from './folders.ts'
export { createInstalledAgents } from './installed.ts'
export { endLeftovers } from './leftovers.ts'
export { createAgentModels } from './models.ts'
export { agentCliSettings } from './settings.ts'

export interface AgentCliDeps {
  readonly settings: BoundSettings<AccessFields>
  readonly installed: InstalledAgents
  readonly mayUse: (accountId: string) => Promise<boolean>
  /** Tells the open pages of everybody that other models can be picked. */
  readonly changed: () => Promise<void>
}

export const createAgentCli = ({ settings, installed, mayUse, changed }: AgentCliDeps) => {
  const readAccess = async (): Promise<AgentAccess> => {
    const { enabled, audience, groupIds } = await settings.read()
    return {
      enabled: enabled.value,
      lockedByEnv: enabled.source === 'environment',
      audience: audience.value,
      groupIds: groupIds.value,
    }
  }
  return bindRoutes({
    name: 'agent-cli',
    routes,
    handlers: {
      async models(_input, { caller }) {
        const found = (await mayUse(caller.accountId)) ? await installed.list() : []
        return { items: found.flatMap(toAgentModels), nextCursor: null }
      },
      access: readAccess,
      async updateAccess({ body }) {
        await settings.change(body)
        await changed()
        return await readAccess()
      },
    },
  })
}

/** The area of agents on the server, as `compose()` creates it. */
import { join } from 'node:path'
import { agentCliArea } from '@atrium/contract/agent-cli'
import { type Features, switchChange, switchRule } from '../../core/access/index.ts'
import type { AgentModels, Connections } from '../../core/connections/index.ts'
import type { Generations } from '../../core/generation/index.ts'
import type { Usage } from '../../core/usage/index.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import type { Slot } from '../../platform/slot.ts'
import {
  type AgentDefinition,
  agentCliSettings,
  createAgentChats,
  createAgentCli,
  createAgentModels,
  createInstalledAgents,
  endLeftovers,
  readAgents,
  runningFolder,
} from './index.ts'

interface Needs {
  readonly access: { readonly features: Features }
  readonly connections: Connections & { readonly agents: Slot<AgentModels> }
  readonly generation: Generations
  readonly usage: Usage
}

interface Options {
  readonly dataDir: string
  /** A variable of the server's environment. */
  readonly variable: (name: string) => string | undefined
}

/** Tells all processes that a chat is gone: any of them may hold a program for it. */
const removedChannel = 'agent_chat_removed'

/** What every agent gets of the environment; what else it needs its file names. */
const passed = ['HOME', 'PATH', 'LANG', 'LANGUAGE', 'LC_ALL', 'LC_CTYPE']

export const agentCli = defineArea(agentCliArea)<Needs, Options>()({
  needs: ['access', 'connections', 'generation', 'usage'],
  settings: agentCliSettings,
  create(
    platform,
    { access: { features }, connections, generation, usage },
    { access, AGENT_CLI_TIMEOUT_MS, AGENT_CLI_FILE },
    options,
  ) {
    const { clock, database, log } = platform
    const folder = join(options.dataDir, 'agents')
    const environmentOf = ({ environment, defaults }: AgentDefinition) =>
      Object.fromEntries(
        [...passed, ...environment, ...Object.keys(defaults)].flatMap((name) => {
          const value = options.variable(name) ?? defaults[name]
          return value === undefined ? [] : [[name, value]]
        }),
      )
    const changed = () => platform.announceAll({ type: 'models-changed', data: {} })
    let agents: Promise<readonly AgentDefinition[]> | null = null
    const installed = createInstalledAgents({
      clock,
      log,
      agents: () => (agents ??= readAgents(AGENT_CLI_FILE)),
      searchPath: options.variable('PATH') ?? '',
      folder,
      environmentOf,
      onChange: () => void changed().catch((error: unknown) => log.error('telling of agents failed', { error })),
    })
    features.register({
      name: 'agents',
      async read() {
        const { enabled, audience, groupIds } = await access.read()
        return switchRule(enabled, audience, groupIds)
      },
      async save({ mode, groupIds }, rule) {
        const { on, audience } = switchChange(mode, rule)
        await access.change({ enabled: on, audience, groupIds: [...groupIds] })
        await changed()
      },
    })
    const mayUse = (accountId: string): Promise<boolean> => features.allows('agents', accountId)
    const silenceMs = AGENT_CLI_TIMEOUT_MS ?? 600_000
    const chats = createAgentChats({ clock, log, folder, environmentOf, silenceMs, mayUse })
    const unlisten = database.listen(removedChannel, (chatId) => {
      chats.removeChat(chatId).catch((error: unknown) => log.error('what a chat left could not be removed', { error }))
    })
    generation.onScopeRemoved(async (chatId) => {
      await chats.removeChat(chatId)
      await database.notify(removedChannel, chatId)
    })
    const { admit, meter } = usage
    connections.agents.fill(createAgentModels({ installed, chats, mayUse, admit, meter, clock }))
    const area = createAgentCli({
      settings: access,
      installed,
      mayUse,
      changed: () => features.changed().then(changed),
    })
    return {
      ...area,
      api: undefined,
      accountRemoved: chats.removeAccount,
      async start() {
        agents = readAgents(AGENT_CLI_FILE)
        await agents
        // What is left behind harms nobody so much as a server that does not start.
        await endLeftovers(runningFolder(folder), clock.now()).catch((error: unknown) =>
          log.error('agents that an earlier server left behind could not be ended', { error }),
        )
      },
      async stop() {
        unlisten()
        await chats.close()
      },
    }
  },
})

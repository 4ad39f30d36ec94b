/** Which agents are installed, with version and models: PATH is looked at each time, the programs are asked now and then. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Platform } from '../../platform/platform.ts'
import { type AgentDefinition, defaultModel } from './definition.ts'
import { findCommand } from './find-command.ts'
import { askProgram, listModels, readLines } from './list-models.ts'

export interface InstalledAgent {
  readonly agent: AgentDefinition
  readonly path: string
  readonly version: string | null
  readonly state: 'not-checked' | 'ready' | 'unreachable'
  readonly detail: string | null
  /** Beside its default. */
  readonly models: readonly string[]
}

export interface InstalledAgents {
  /** Waits for no program: what is not known yet is looked up in the background. */
  list(): Promise<InstalledAgent[]>
  /** The agent; one that may have this model, and was not asked yet, is waited for. null: it is not installed. */
  find(id: string, model: string): Promise<InstalledAgent | null>
}

export interface InstalledDeps extends Pick<Platform, 'clock' | 'log'> {
  readonly agents: () => Promise<readonly AgentDefinition[]>
  readonly searchPath: string
  readonly folder: string
  readonly environmentOf: (agent: AgentDefinition) => Readonly<Record<string, string>>
  /** Called when something else was found than before. */
  readonly onChange: () => void
}

const freshMs = 5 * 60_000
/** Of models that are told in a session: an agent is no small program. */
const sessionFreshMs = 60 * 60_000
const maxModels = 40

type Looked = Pick<InstalledAgent, 'version' | 'state' | 'detail' | 'models'>

export const createInstalledAgents = (deps: InstalledDeps): InstalledAgents => {
  const { clock, log } = deps
  const known = new Map<string, { readonly looked: Looked; readonly at: number }>()
  const told = new Map<string, { readonly models: readonly string[]; readonly at: number }>()
  const looking = new Map<string, Promise<void>>()

  const listFresh = async (agent: AgentDefinition, request: Parameters<typeof listModels>[1]) => {
    const kept = told.get(agent.id)
    if (agent.listModels === 'session' && kept && clock.now() - kept.at < sessionFreshMs) return kept.models
    const models = await listModels(agent, request)
    told.set(agent.id, { models, at: clock.now() })
    return models
  }

  const ask = async (agent: AgentDefinition, path: string): Promise<Looked> => {
    const folder = join(deps.folder, 'look')
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const request = { path, folder, environment: deps.environmentOf(agent) }
    const version = await askProgram({ ...request, args: agent.version })
    if (version === null) {
      const detail = `${agent.name} is installed but doesn’t respond when asked for its version.`
      return { version: null, state: 'unreachable', detail, models: agent.models }
    }
    const listed = await listFresh(agent, request)
    const models = [...new Set([...agent.models, ...listed])].slice(0, maxModels)
    return { version: readLines(version)[0] ?? null, state: 'ready', detail: null, models }
  }

  const look = (agent: AgentDefinition, path: string, key: string): Promise<void> => {
    const running = looking.get(key)
    if (running) return running
    const run = ask(agent, path)
      .then((looked) => {
        const before = known.get(key)?.looked
        known.set(key, { looked, at: clock.now() })
        if (JSON.stringify(before) !== JSON.stringify(looked)) deps.onChange()
      })
      .catch((error: unknown) => log.error('looking at an agent failed', { error }))
      .finally(() => looking.delete(key))
    looking.set(key, run)
    return run
  }

  const describe = async (agent: AgentDefinition, model = defaultModel): Promise<InstalledAgent | null> => {
    const path = await findCommand(agent.command, deps.searchPath)
    if (path === null) return null
    const key = `${agent.id} ${path}`
    const kept = known.get(key)
    const fresh = !kept || clock.now() - kept.at > freshMs ? look(agent, path, key) : null
    if (!kept && ![defaultModel, ...agent.models].includes(model)) await fresh
    const unknown: Looked = { version: null, state: 'not-checked', detail: null, models: agent.models }
    return { agent, path, ...(known.get(key)?.looked ?? unknown) }
  }

  return {
    async list() {
      const found = await Promise.all((await deps.agents()).map((agent) => describe(agent)))
      return found.filter((one) => one !== null)
    },
    async find(id, model) {
      const agent = (await deps.agents()).find((one) => one.id === id)
      return agent ? await describe(agent, model) : null
    },
  }
}

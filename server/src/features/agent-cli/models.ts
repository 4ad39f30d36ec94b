/** Agents as models among models. */
import type { AgentModel } from '@atrium/contract/agent-cli'
import type { Model, ModelProvider } from '@atrium/contract/connections'
import type { AgentModels } from '../../core/connections/index.ts'
import type { Clock } from '../../platform/clock.ts'
import { measureCall } from '../../providers/measure.ts'
import type { AdmitCall, MeteredCall } from '../../providers/metering.ts'
import { type Part, ProviderFailure, type Turn } from '../../providers/types.ts'
import type { AgentChats, AgentQuestion } from './chats.ts'
import { defaultModel, permissionsOf } from './definition.ts'
import type { InstalledAgent, InstalledAgents } from './installed.ts'

export interface AgentModelsDeps {
  readonly installed: InstalledAgents
  readonly chats: Pick<AgentChats, 'ask'>
  readonly mayUse: (accountId: string) => Promise<boolean>
  readonly admit: AdmitCall
  readonly meter: (call: MeteredCall) => void
  readonly clock: Clock
}

/** Tokens of a chat that are looked at to begin a session with; an agent keeps its own memory within its own bounds. */
const contextWindow = 200_000

export const createAgentModels = (deps: AgentModelsDeps): AgentModels => ({
  async list(accountId) {
    if (!(await deps.mayUse(accountId))) return { items: [], providers: [] }
    const installed = await deps.installed.list()
    return { items: installed.flatMap(modelsOf), providers: installed.map(providerOf) }
  },

  async resolve(accountId, selection) {
    if (!(await deps.mayUse(accountId)))
      return { unavailable: 'Agents are off on this server, or you don’t have access to them.' }
    const found =
      selection.providerId === null ? null : await deps.installed.find(selection.providerId, selection.model)
    if (!found) return { unavailable: 'This agent is no longer installed on the server.' }
    const { agent, path } = found
    const { model } = selection
    if (!namesOf(found).includes(model)) return { unavailable: `${agent.name} no longer lists this model.` }
    const no = { tools: null, thinking: null, prefills: false, sizesWindow: false }
    return {
      model: {
        kind: 'agent',
        selection,
        name: nameOf(found, model),
        providerName: agent.name,
        contextWindow,
        vision: null,
        ...no,
        ask: (turn, signal) => askMetered(deps, { accountId, agent, path, model, turn, signal }),
      },
    }
  },
})

/** What administrators see of them. */
export const toAgentModels = (found: InstalledAgent): AgentModel[] =>
  namesOf(found).map((model) => ({
    id: model === defaultModel ? found.agent.id : `${found.agent.id}:${model}`,
    name: nameOf(found, model),
    agentId: found.agent.id,
    selection: { providerType: 'agent', providerId: found.agent.id, model },
    command: found.agent.command,
    binaryPath: found.path,
    version: found.version,
    state: found.state,
    permissions: permissionsOf(found.agent),
    detail: found.detail,
  }))

async function* askMetered(deps: AgentModelsDeps, question: AgentQuestion): AsyncGenerator<readonly Part[]> {
  const { accountId, agent, model, turn, signal } = question
  const subject = await deps.admit({
    accountId,
    tokenId: null,
    providerId: agent.id,
    providerName: agent.name,
    model,
    capability: 'chat',
    inputTokens: estimateTokens(turn),
    outputTokens: null,
  })
  const measured = measureCall(deps, { subject, model })
  try {
    for await (const parts of deps.chats.ask(question)) {
      measured.heard(parts)
      yield parts
    }
    measured.end(signal.aborted ? 'cancelled' : 'success')
  } catch (error) {
    measured.end(signal.aborted ? 'cancelled' : 'error', { error })
    throw error instanceof ProviderFailure ? error : new ProviderFailure('unreachable', `${agent.name} failed.`)
  } finally {
    measured.end('cancelled')
  }
}

const namesOf = ({ models }: InstalledAgent): string[] => [defaultModel, ...models]

const nameOf = ({ agent }: InstalledAgent, model: string): string =>
  model === defaultModel ? agent.name : `${agent.name}: ${model}`

const modelsOf = (found: InstalledAgent): Model[] =>
  namesOf(found).map((model) => ({
    selection: { providerType: 'agent', providerId: found.agent.id, model },
    name: nameOf(found, model),
    providerName: found.agent.name,
    contextWindow: null,
    features: ['tools'],
    capabilities: ['chat'],
    price: null,
    firstTokenMs: null,
    errorShare: null,
    local: false,
    sizeBytes: null,
  }))

const providerOf = (found: InstalledAgent): ModelProvider => ({
  providerType: 'agent',
  providerId: found.agent.id,
  name: found.agent.name,
  modelCount: namesOf(found).length,
  state: found.state,
  detail: found.detail ?? [found.path, found.version].filter(Boolean).join(' · '),
})

/** Four characters to a token: enough to reserve by. */
const estimateTokens = ({ system, messages }: Turn): number =>
  messages.reduce((sum, { text }) => sum + Math.ceil(text.length / 4), Math.ceil((system?.length ?? 0) / 4))

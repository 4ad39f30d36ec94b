/** Every chat model that an account may pick, from what is stored: nothing here waits for a provider. */
import type { Model, ModelList, ModelProvider } from '@atrium/contract/connections'
import type { RuntimeModel } from '@atrium/contract/local-runtime'
import type { Platform } from '../../../platform/platform.ts'
import { builtinProvider } from '../../../providers/builtin/excerpts.ts'
import type { ListedModel } from '../../../providers/model-list.ts'
import type { ModelDiscoverer } from './discovery.ts'
import type { LocalModels, LocalModelsState } from './local-models.ts'
import { featuresOf, modelLabels, modelsOf, type PriceOf, type SpeedOf } from './models.ts'
import type { SignIn, SignInState } from '../../../providers/sign-in/index.ts'
import { type ReadEnvironmentKey, isSignedIn, missingCredential } from '../keys.ts'
import { chooseFallback, isDue, type StartPreferences, type RefreshIntervals } from '../rules.ts'
import type { ConnectionStore } from '../stores/index.ts'
import type { AccountConnection, AgentModels, InstalledDefinition } from '../types.ts'

export interface ListDeps extends RefreshIntervals, Pick<Platform, 'clock'> {
  readonly store: ConnectionStore
  readonly local: LocalModels
  readonly discoverer: ModelDiscoverer
  /** OLLAMA_MAX_CONTEXT: the largest window that is asked of the local runtime. */
  readonly maxContext: number
  readonly environmentKey: ReadEnvironmentKey
  readonly priceOf: PriceOf
  readonly speedOf: SpeedOf
  readonly signIn: SignIn | undefined
  /** null: this server has none. */
  readonly agents: () => AgentModels | null
}

export const localProviderName = 'Ollama'
export const builtinName = 'Atrium'
/** Under this the calls of the local runtime are counted. */
const localProviderId = 'local'
const noSpeed = { firstTokenMs: null, errorShare: null }

export const createModelList =
  (deps: ListDeps) =>
  async (accountId: string, preferences: StartPreferences, discovers: boolean): Promise<ModelList> => {
    const [local, active, agents] = await Promise.all([
      deps.local.current(),
      deps.store.active(accountId),
      deps.agents()?.list(accountId),
    ])
    const signIn = active.some(({ installed }) => isSignedIn(installed)) ? await deps.signIn?.available() : undefined
    const now = deps.clock.now()
    for (const connection of discovers ? active : []) {
      const askable = missingCredential(connection, deps.environmentKey) === null
      if (isDue(connection.own, now, deps, askable)) {
        deps.discoverer.inBackground(accountId, connection.installed.definition.id)
      }
    }
    const localModels = local.models.filter(isChat).map((model) => ({
      ...localModel(model, deps.maxContext),
      ...deps.speedOf(localProviderId, model.name),
    }))
    const items = [...localModels, ...active.flatMap((connection) => connectionModels(connection, deps)), builtinModel]
    const agentModels = agents?.items ?? []
    return {
      items: [...items, ...agentModels],
      providers: [
        localProvider(local, localModels.length),
        ...active.map((connection) => connectionProvider(connection, deps.environmentKey, signIn)),
        {
          providerType: 'builtin',
          providerId: builtinProvider.id,
          name: builtinName,
          modelCount: 1,
          state: 'ready',
          detail: null,
        },
        ...(agents?.providers ?? []),
      ],
      fallback: chooseFallback(items, preferences),
    }
  }

/** A model of the runtime that is for talking; old versions tell no capabilities. */
export const isChat = ({ name, capabilities }: Pick<RuntimeModel, 'name' | 'capabilities'>): boolean =>
  capabilities.length > 0 ? capabilities.includes('completion') : !/embed/i.test(name)

export const localModel = (model: RuntimeModel, maxContext: number): Model => ({
  selection: { providerType: 'local', providerId: null, model: model.name },
  name: model.name.replace(/:latest$/, ''),
  providerName: localProviderName,
  contextWindow: model.contextWindow === null ? null : Math.min(model.contextWindow, maxContext),
  features: (['vision', 'tools', 'thinking'] as const).filter((feature) => model.capabilities.includes(feature)),
  capabilities: ['chat'],
  price: null,
  ...noSpeed,
  local: true,
  sizeBytes: model.sizeBytes,
  createdAt: model.modifiedAt || undefined,
})

type Figures = Pick<ListDeps, 'priceOf' | 'speedOf'>

const pluginModel = ({ definition, bundled }: InstalledDefinition, model: ListedModel, figures: Figures): Model => ({
  selection: { providerType: 'plugin', providerId: definition.id, model: model.id },
  name: model.id,
  providerName: definition.name,
  contextWindow: model.contextWindow,
  features: featuresOf(model),
  capabilities: modelLabels(model),
  price: figures.priceOf(definition.id, model.id),
  ...(figures.speedOf(definition.id, model.id) ?? noSpeed),
  local: bundled?.local === true,
  sizeBytes: null,
  createdAt: model.createdAt === undefined ? undefined : new Date(model.createdAt * 1000).toISOString(),
})

export const builtinModel: Model = {
  selection: { providerType: 'builtin', providerId: builtinProvider.id, model: builtinProvider.model },
  name: 'Excerpts',
  providerName: builtinName,
  contextWindow: null,
  features: [],
  capabilities: ['chat'],
  price: null,
  ...noSpeed,
  local: true,
  sizeBytes: null,
}

const connectionModels = (connection: AccountConnection, figures: Figures): Model[] =>
  modelsOf(connection)
    .filter((model) => model.kind === 'chat')
    .map((model) => pluginModel(connection.installed, model, figures))

const localProvider = (local: LocalModelsState, modelCount: number): ModelProvider => ({
  providerType: 'local',
  providerId: null,
  name: localProviderName,
  modelCount,
  state: local.state,
  detail: local.detail,
})

function connectionProvider(
  connection: AccountConnection,
  environment: ReadEnvironmentKey,
  signIn: SignInState | undefined,
): ModelProvider {
  const { installed, own } = connection
  const why = isSignedIn(installed) ? (signIn?.detail ?? null) : missingCredential(connection, environment)
  const outcome = own.catalogue?.outcome
  const [state, detail]: [ModelProvider['state'], string | null] =
    why !== null
      ? [installed.route.fault === null ? 'key-needed' : 'unreachable', why]
      : outcome === undefined
        ? ['not-checked', null]
        : outcome.outcome === 'unavailable'
          ? ['unreachable', outcome.reason]
          : ['ready', null]
  return {
    providerType: 'plugin',
    providerId: installed.definition.id,
    name: installed.definition.name,
    modelCount: modelsOf(connection).filter((model) => model.kind === 'chat').length,
    state,
    detail,
  }
}

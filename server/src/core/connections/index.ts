/**
 * Connections: which providers the instance knows, what each account has of them, and which model a selection means.
 * A key is used for the one route it was saved for, a selection is never rerouted, and a connection is made whole or
 * not at all. It refuses to let anything but an account's own key reach an installed connection.
 */
import { connectionsRoutes, type ModelList } from '@atrium/contract/connections'
import type { AccountEvent } from '@atrium/contract/system'
import { actorOf, type Audit } from '../../platform/audit/index.ts'
import { bindRoutes } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import { hostAndPort } from '../../platform/outbound/destination.ts'
import type { Platform } from '../../platform/platform.ts'
import { type BundledDefinition, bundledDefinitions } from '../../providers/definitions.ts'
import type { LocalRuntime } from '../../providers/local-runtime.ts'
import { soundId } from '../../providers/model-list.ts'
import type { AdmitCall } from '../../providers/metering.ts'
import type { Runner } from '../../providers/runner.ts'
import type { SignIn } from '../../providers/sign-in/index.ts'
import { applyVisibility, hiddenFrom, type InstanceVisibility, type Viewer } from './catalogue/model-visibility.ts'
import { createCapabilityResolver } from './calls/capability.ts'
import { createVideoResolver } from './calls/video.ts'
import type { PriceOf, SpeedOf } from './catalogue/models.ts'
import { definitionHandlers } from './definitions/handlers.ts'
import { createDiscoverer } from './catalogue/discovery.ts'
import { probeLocalServers, loopbackAddress, type UsualPort, usualPorts } from './setup/local-discovery.ts'
import { cacheConnections } from './stores/cached-store.ts'
import { createModelList } from './catalogue/model-list.ts'
import { createLocalModels } from './catalogue/local-models.ts'
import { accountHandlers, numberEvents } from './account-routes.ts'
import { sharingHandlers } from './sharing.ts'
import { requestHandlers } from './requests.ts'
import type { ConnectionContext } from './context.ts'
import { probeAddress } from './setup/probe.ts'
import { providerCheck } from './check.ts'
import { connectQuickly, isRefused, type QuickDeps } from './setup/quick.ts'
import { tryQuickly } from './setup/quick-trial.ts'
import { createModelResolver } from './calls/resolve.ts'
import { type StartPreferences, toConnection } from './rules.ts'
import { createConnectionStore } from './stores/index.ts'
import { connectionMigrations } from './tables.ts'
import type { AccountConnection, AgentModels } from './types.ts'
import { createVisibleStore } from './stores/visible-store.ts'

export { connectionSettings } from './settings.ts'
export { toListedModel, toListedPlugins } from './calls/listed-models.ts'
export { refusalOf } from './calls/refusals.ts'
export { soundWithEnd } from './calls/sound-with-end.ts'
export type { ResolvedCapability, CapabilityModel, UsableCapability } from './calls/capability.ts'
export type { CountFilm, ResolvedVideo, UsableVideo } from './calls/video.ts'
export { type InstanceVisibility, visibilityKey } from './catalogue/model-visibility.ts'
export type { LocalModelsState } from './catalogue/local-models.ts'
export { type ConnectionTables, connectionMigrations, connectionSealed } from './tables.ts'
export type { StartPreferences } from './rules.ts'
export type { AgentModels, CallOrigin, MakingOrigin, ModelResolution, UsableModel } from './types.ts'

export interface ConnectionsDeps
  extends Pick<QuickDeps, 'openGate' | 'allowAddress'>,
    Pick<Platform, 'clock' | 'database' | 'log' | 'outbound' | 'vault'> {
  readonly audit: Audit
  readonly runner: Runner
  readonly runtime: LocalRuntime
  readonly localRuntimeSettings: () => Promise<{ readonly enabled: boolean; readonly baseUrl: string }>
  /** Asked before every call; without it every call is made. */
  readonly admit?: AdmitCall
  /** Lets calls through that were admitted before, by a process that is gone; by default as `admit`. */
  readonly readmit?: AdmitCall
  /** What an account prefers: its default model, and those it used lately. */
  readonly preferences: (accountId: string) => Promise<StartPreferences>
  /** Tells the open pages of an account. */
  readonly announce: (accountId: string, event: AccountEvent) => Promise<void>
  /** Tells the open pages of every account. */
  readonly announceAll: (event: AccountEvent) => Promise<void>
  /** The operator's key under the name of an environment variable. */
  readonly environmentKey?: (name: string) => string | undefined
  /** Atrium's own definitions, where tests have others. */
  readonly bundled?: readonly BundledDefinition[]
  /** The server's own sign-in; without it nothing that lives by it is seen. */
  readonly signIn?: SignIn | undefined
  /** Whether an account is an active administrator. */
  readonly isAdministrator?: (accountId: string) => Promise<boolean>
  /** The ids of the groups that an account is in; without it nobody is in any. */
  readonly groupsOf?: (accountId: string) => Promise<readonly string[]>
  /** What groups are called, by id. */
  readonly groupNames?: (groupIds: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** What accounts are called, by id. */
  readonly accountNames?: (accountIds: readonly string[]) => Promise<ReadonlyMap<string, string>>
  readonly administratorIds?: () => Promise<readonly string[]>
  /** How the instance shows models, from memory; without it they are shown as they come. */
  readonly visibility?: () => Promise<InstanceVisibility>
  /** The price of a model, from memory. */
  readonly priceOf?: PriceOf
  /** How fast a model is here, from memory. */
  readonly speedOf?: SpeedOf
  /** The agents on the server; without it there are none. */
  readonly agents?: () => AgentModels | null
  /** PLUGIN_MODEL_DISCOVERY_TTL_MS. */
  readonly ttlMs?: number
  /** How long after a failed discovery none is tried again. */
  readonly retryMs?: number
  /** OLLAMA_MAX_CONTEXT. */
  readonly maxContext?: number
  readonly usualPorts?: readonly UsualPort[]
}

const modelsChanged: AccountEvent = { type: 'models-changed', data: {} }

export const createConnections = (options: ConnectionsDeps) => {
  const deps = {
    ...options,
    admit: options.admit ?? (async (call) => call),
    readmit: options.readmit ?? options.admit ?? (async (call) => call),
    environmentKey: options.environmentKey ?? (() => undefined),
    bundled: options.bundled ?? bundledDefinitions(),
    signIn: options.signIn,
    isAdministrator: options.isAdministrator ?? (async () => false),
    groupsOf: options.groupsOf ?? (async () => []),
    groupNames: options.groupNames ?? (async () => new Map<string, string>()),
    accountNames: options.accountNames ?? (async () => new Map<string, string>()),
    administratorIds: options.administratorIds ?? (async () => []),
    priceOf: options.priceOf ?? (() => null),
    speedOf: options.speedOf ?? (() => null),
    agents: options.agents ?? (() => null),
    ttlMs: options.ttlMs ?? 6 * 60 * 60_000,
    retryMs: options.retryMs ?? 10 * 60_000,
    maxContext: options.maxContext ?? 32_768,
    usualPorts: options.usualPorts ?? usualPorts,
  }
  const { log, announce } = deps
  const cached = cacheConnections({ ...deps, store: createConnectionStore(deps) })
  const store = createVisibleStore({ ...deps, store: cached.store })
  const announceModels = (accountId: string) => announce(accountId, modelsChanged)
  const announceModelsToAll = () => deps.announceAll(modelsChanged)
  const discoverer = createDiscoverer({ ...deps, store, changed: announceModels })
  const local = createLocalModels({
    ...deps,
    settings: deps.localRuntimeSettings,
    onChange: () =>
      void announceModelsToAll().catch((error: unknown) => log.error('telling of models failed', { error })),
  })
  const listAll = createModelList({ ...deps, store, local, discoverer })
  const listModels = async (accountId: string, { discovers = true } = {}): Promise<ModelList> => {
    const [preferences, visibility] = await Promise.all([deps.preferences(accountId), deps.visibility?.()])
    const list = await listAll(accountId, preferences, discovers)
    if (!visibility) return list
    return applyVisibility(list, visibility, await viewerOf(accountId, visibility), preferences)
  }
  /** Who looks; asked only where something is not for everybody. */
  const viewerOf = async (accountId: string, { allHidden, hidden, groups }: InstanceVisibility): Promise<Viewer> => {
    const forGroups = Object.keys(groups).length > 0
    const isAdministrator = (allHidden || forGroups || hidden.length > 0) && (await deps.isAdministrator(accountId))
    return { isAdministrator, groupIds: forGroups && !isAdministrator ? await deps.groupsOf(accountId) : [] }
  }
  /** Tells of models, by the key that the instance has for them, whether they are hidden from an account. */
  const hiddenFromAccount = async (accountId: string): Promise<(key: string) => boolean> => {
    const visibility = await deps.visibility?.()
    return visibility ? hiddenFrom(visibility, await viewerOf(accountId, visibility)) : () => false
  }
  const resolve = createModelResolver({ ...deps, store, local, discoverer, hiddenFromAccount })
  const capabilities = createCapabilityResolver({ ...deps, store, local, discoverer })

  const readConnection = async (accountId: string, id: string): Promise<AccountConnection> => {
    const connection = await store.one(accountId, id)
    if (!connection) throw fail('plugin_not_found')
    return connection
  }
  const announceRequests = async (name: string | null) => {
    const event: AccountEvent = { type: 'model-requests-changed', data: { name } }
    for (const id of await deps.administratorIds()) {
      // The request stands, also where nobody hears of it now.
      await announce(id, event).catch((error: unknown) => log.warn('an administrator could not be told', { error }))
    }
  }
  const parts: ConnectionContext = {
    ...deps,
    store,
    discoverer,
    readConnection,
    announceModels,
    announceModelsToAll,
    announceRequests,
  }
  const reservedIds = new Set(deps.bundled.map(({ id }) => id))

  const area = bindRoutes({
    name: 'model-management',
    routes: connectionsRoutes,
    handlers: {
      ...definitionHandlers(parts),
      ...accountHandlers(parts),
      ...sharingHandlers(parts),
      ...requestHandlers(parts),

      models: (_input, { caller }) => listModels(caller.accountId),

      async connections(_input, { caller }) {
        const [all, unreadable] = await Promise.all([store.all(caller.accountId), store.unreadable()])
        const items = all.filter(isInHand).map((connection) => toConnection(connection, deps.environmentKey))
        return { items, nextCursor: null, unreadable }
      },

      async quick({ body }, { caller }) {
        const { id, outcome } = await connectQuickly({ ...deps, store, reservedIds }, caller.accountId, body)
        await announceModels(caller.accountId)
        const connection = toConnection(await readConnection(caller.accountId, id), deps.environmentKey)
        return { connection, discovery: outcome }
      },

      quickTest: async ({ body }, { caller, signal }) =>
        numberEvents(await tryQuickly(deps, caller.accountId, body, signal)),

      async updateConnection({ params: { id }, body: { name, models } }, context) {
        const { accountId } = context.caller
        const { installed } = await readConnection(accountId, id)
        if (installed.source === 'bundled') throw fail('validation_failed', 'This connection is built in.')
        if (models && !models.every(soundId)) {
          throw fail('validation_failed', undefined, [
            { path: 'body.models', message: 'an id holds characters that none has' },
          ])
        }
        const change = {
          ...(name === undefined ? {} : { name }),
          ...(models ? { model_map: [...new Set(models)] } : {}),
        }
        await store.changeDefinition(id, change, (trx) =>
          deps.audit.recordIn(trx, {
            ...actorOf(context),
            action: 'definition.update',
            target: { type: 'definition', id },
            details: { fields: Object.keys(change) },
          }),
        )
        await announceModelsToAll()
        return toConnection(await readConnection(accountId, id), deps.environmentKey)
      },

      probe: ({ body }) => probeAddress(deps, body),

      async found(_input, { caller }) {
        const all = await store.all(caller.accountId)
        const inUse = new Set(all.filter(isInHand).map(({ installed }) => addressOf(installed.route.url)))
        const { enabled, baseUrl } = await deps.localRuntimeSettings()
        const runtimeAt = enabled ? hostAndPort(baseUrl) : null
        const gate = deps.openGate([...new Set(deps.usualPorts.map(({ port }) => loopbackAddress(port)))])
        try {
          const items = await probeLocalServers(gate, deps.usualPorts, async (place, usual) => {
            const names = [place, place.replace('127.0.0.1', 'localhost')]
            if (usual.kind !== 'plugin')
              return names.some((name) => (usual.kind === 'ollama' ? name === runtimeAt : inUse.has(name)))
                ? 'connected'
                : 'free'
            const known = all.find(({ installed }) => installed.definition.id === usual.pluginId)
            if (!known || !names.includes(addressOf(known.installed.route.url) ?? '')) return 'elsewhere'
            const isUsed =
              known.own.activatedAt !== null && !(await isRefused(deps.outbound, known.installed.route.url))
            return isUsed ? 'connected' : 'free'
          })
          return { items, nextCursor: null }
        } finally {
          await gate.close()
        }
      },
    },
    migrations: connectionMigrations,
  })

  return {
    area,
    check: providerCheck(store, deps.outbound),
    /** The model of a selection for an account, or why it cannot be used, in words. */
    resolve,
    /** A model for something else than chat, or why it cannot be used, in words; see capability.ts. */
    capability: capabilities.resolve,
    /** What an account may use for such a thing; waits for no provider. */
    capabilityModels: capabilities.list,
    /** A model that makes films, or why it cannot be used, in words; see video.ts. */
    video: createVideoResolver({ ...deps, store, local, discoverer }),
    /**
     * Every chat model that an account may pick; waits for no provider. `discovers`: whether catalogues that are due are
     * asked for in the background, with the keys of the account.
     */
    listModels,
    hiddenFromAccount,
    /** What the local runtime holds, kept and refreshed here for everybody. */
    local,
    /** The largest window that is asked of it, in tokens. */
    maxContext: deps.maxContext,
    /** What these accounts have is read anew, and where something is for groups, their pages are told. */
    async groupsChanged(accountIds: readonly string[]): Promise<void> {
      const groups = (await deps.visibility?.())?.groups ?? {}
      const matters = Object.keys(groups).length > 0 || (await store.isAnySharedWithGroups())
      for (const accountId of accountIds) {
        await cached.forget(accountId)
        if (matters) await announceModels(accountId)
      }
    },
    close: cached.close,
  }
}
export type Connections = ReturnType<typeof createConnections>

/** Installed connections, and those bundled with Atrium that the account uses. */
const isInHand = ({ installed, own }: AccountConnection): boolean =>
  installed.source !== 'bundled' || own.activatedAt !== null || own.key !== null || own.keyElsewhere

/** null for an address that is not complete. */
const addressOf = (address: string): string | null => (URL.canParse(address) ? hostAndPort(address) : null)

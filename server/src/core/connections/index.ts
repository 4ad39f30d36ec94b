/**
 * Connections: which providers the instance knows, what each account has of them, and which model a selection means.
 * A key is used for the one route it was saved for, a selection is never rerouted, and a connection is made whole or
 * not at all. It refuses to let anything but an account's own key reach an installed connection.
 */
import type { Selection } from '@atrium/contract/common'
import { modelManagement } from '@atrium/contract/model-management'
import type { AccountEvent } from '@atrium/contract/system'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/types.ts'
import { type Area, defineArea } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Outbound } from '../../platform/outbound/types.ts'
import type { Vault } from '../../platform/vault/types.ts'
import type { LocalRuntime } from '../../providers/local-runtime.ts'
import type { Admit } from '../../providers/metering.ts'
import type { Runner } from '../../providers/runner.ts'
import { createDiscoverer } from './discovery.ts'
import { findRuntimes, loopback, type UsualPort, usualPorts } from './found.ts'
import { createModelList } from './list.ts'
import { createLocalModels } from './local-models.ts'
import { connectQuickly, type QuickDeps } from './quick.ts'
import { createResolve } from './resolve.ts'
import { hostAndPort, routeOf, soundKey, toConnection } from './rules.ts'
import { createConnectionStore } from './store.ts'
import { connectionMigrations } from './tables.ts'
import type { AccountConnection } from './types.ts'

export type { LocalModelsState } from './local-models.ts'
export { type ConnectionTables, connectionMigrations } from './tables.ts'
export type { Asking, Resolved, UsableModel } from './types.ts'

export interface ConnectionsDeps extends Pick<QuickDeps, 'openGate' | 'allowAddress'> {
  readonly database: Database
  readonly vault: Vault
  readonly clock: Clock
  readonly log: Log
  readonly outbound: Outbound
  readonly runner: Runner
  readonly runtime: LocalRuntime
  readonly localRuntimeSettings: () => Promise<{ readonly enabled: boolean; readonly baseUrl: string }>
  /** Asked before every call; without it every call is made. */
  readonly admit?: Admit
  /** The own default model of an account, from its preferences. */
  readonly defaultModel: (accountId: string) => Promise<Selection | null>
  /** Tells the open pages of an account. */
  readonly announce: (accountId: string, event: AccountEvent) => Promise<void>
  /** Tells the open pages of every account. */
  readonly announceAll: (event: AccountEvent) => Promise<void>
  /** Whether the environment sets a name; keys from there are not used, only spoken of. */
  readonly environmentHas?: (name: string) => boolean
  /** PLUGIN_MODEL_DISCOVERY_TTL_MS. */
  readonly ttlMs?: number
  /** How long a failed look is left alone. */
  readonly retryMs?: number
  /** OLLAMA_MAX_CONTEXT. */
  readonly maxContext?: number
  readonly usualPorts?: readonly UsualPort[]
}

/** The routes that are answered here so far. */
const { models, connections, quick, found, activate, deactivate, discover, saveKey, removeKey, remove } =
  modelManagement
const served = { models, connections, quick, found, activate, deactivate, discover, saveKey, removeKey, remove }

const modelsChanged: AccountEvent = { type: 'models-changed', data: {} }

export const createConnections = (options: ConnectionsDeps) => {
  const deps = {
    ...options,
    admit: options.admit ?? (async (call) => call),
    environmentHas: options.environmentHas ?? (() => false),
    ttlMs: options.ttlMs ?? 6 * 60 * 60_000,
    retryMs: options.retryMs ?? 10 * 60_000,
    maxContext: options.maxContext ?? 32_768,
    usualPorts: options.usualPorts ?? usualPorts,
  }
  const { log, announce } = deps
  const store = createConnectionStore(deps)
  const changed = (accountId: string) => announce(accountId, modelsChanged)
  const discoverer = createDiscoverer({ ...deps, store, changed })
  const local = createLocalModels({
    ...deps,
    settings: deps.localRuntimeSettings,
    changed: () =>
      void deps.announceAll(modelsChanged).catch((error: unknown) => log.error('telling of models failed', { error })),
  })
  const listModels = createModelList({ ...deps, store, local, discoverer })
  const resolve = createResolve({ ...deps, store, local, discoverer })

  const read = async (accountId: string, id: string): Promise<AccountConnection> => {
    const connection = await store.one(accountId, id)
    if (!connection) throw fail('plugin_not_found')
    return connection
  }
  /** Looks at the models, and tells what the connection is like then. */
  const looked = async (accountId: string, id: string) => {
    const discovery = await discoverer.discover(accountId, id)
    return { connection: toConnection(await read(accountId, id)), discovery }
  }

  const area: Area = defineArea({
    name: 'model-management',
    routes: served,
    handlers: {
      models: (_input, { caller }) => listModels(caller.accountId),

      async connections(_input, { caller }) {
        return { items: (await store.all(caller.accountId)).map(toConnection), nextCursor: null }
      },

      async quick({ body }, { caller }) {
        const { id, outcome } = await connectQuickly({ ...deps, store }, caller.accountId, body)
        await changed(caller.accountId)
        return { connection: toConnection(await read(caller.accountId, id)), discovery: outcome }
      },

      async found(_input, { caller }) {
        const inUse = new Set(
          (await store.all(caller.accountId)).map((c) => hostAndPort(routeOf(c.installed.definition).url)),
        )
        const { enabled, baseUrl } = await deps.localRuntimeSettings()
        const runtimeAt = enabled ? hostAndPort(baseUrl) : null
        const gate = deps.openGate(deps.usualPorts.map(({ port }) => loopback(port)))
        try {
          const items = await findRuntimes(gate, deps.usualPorts, (place, kind) => {
            const names = [place, place.replace('127.0.0.1', 'localhost')]
            return names.some((name) => (kind === 'ollama' ? name === runtimeAt : inUse.has(name)))
          })
          return { items, nextCursor: null }
        } finally {
          await gate.close()
        }
      },

      async activate({ params: { id } }, { caller }) {
        await read(caller.accountId, id)
        await store.activate(caller.accountId, id)
        await changed(caller.accountId)
        return await looked(caller.accountId, id)
      },

      async deactivate({ params: { id } }, { caller }) {
        await read(caller.accountId, id)
        await store.deactivate(caller.accountId, id)
        await changed(caller.accountId)
        return toConnection(await read(caller.accountId, id))
      },

      discover: ({ params: { id } }, { caller }) => looked(caller.accountId, id),

      async saveKey({ params: { id }, body: { apiKey } }, { caller }) {
        const { installed } = await read(caller.accountId, id)
        const refused = (message: string) => fail('validation_failed', undefined, [{ path: 'body.apiKey', message }])
        if (installed.definition.auth.header === '') throw refused('this connection takes no key')
        if (!soundKey(apiKey)) throw refused('it holds characters that no key has')
        await store.saveKey(caller.accountId, installed, apiKey)
        await changed(caller.accountId)
        return await looked(caller.accountId, id)
      },

      async removeKey({ params: { id } }, { caller }) {
        await read(caller.accountId, id)
        await store.removeKey(caller.accountId, id)
        await changed(caller.accountId)
        return toConnection(await read(caller.accountId, id))
      },

      async remove({ params: { id } }) {
        const users = await store.remove(id)
        if (!users) throw fail('plugin_not_found')
        await Promise.all(users.map(changed))
        return {}
      },
    },
    migrations: connectionMigrations,
  })

  return {
    area,
    /** The model of a selection for an account, or why it cannot be used, in words. */
    resolve,
    /** Every chat model that an account may pick; waits for no provider. */
    listModels,
    /** What the local runtime holds, kept and refreshed here for everybody. */
    local,
  }
}
export type Connections = ReturnType<typeof createConnections>

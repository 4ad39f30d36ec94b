/** Asks a provider for its models, and records what came of it. */
import type { Discovery } from '@atrium/contract/connections'
import { createCache } from '../../../platform/cache/cache.ts'
import type { Clock } from '../../../platform/clock.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { Outbound } from '../../../platform/outbound/types.ts'
import type { Platform } from '../../../platform/platform.ts'
import { attributionHeaders } from '../../../providers/attribution.ts'
import { exchange } from '../../../providers/exchange.ts'
import { type ListedModel, modelOfId, readModelList, soundId } from '../../../providers/model-list.ts'
import { signerFor } from '../../../providers/signing.ts'
import { ProviderFailure } from '../../../providers/types.ts'
import { wires } from '../../../providers/wires/index.ts'
import { compareModelLists, definedModels, modelLabels, modelsOf, withCapability } from './models.ts'
import { type ReadEnvironmentKey, isSignedIn, keyFor, keyHeaders, missingKey } from '../keys.ts'
import type { ConnectionStore } from '../stores/index.ts'
import type { CapabilityName, AccountConnection } from '../types.ts'
import { wireOf } from '../definitions/wire.ts'

/** A list that takes longer than this is as good as none. */
const discoveryMs = 5000
const seekAgainMs = 10_000
const mostSought = 1000
/** A list of thousands of models is a megabyte or two. */
export const largestList = 4 * 1024 * 1024

export interface ModelListDeps {
  readonly outbound: Pick<Outbound, 'check' | 'request'>
  readonly environmentKey: ReadEnvironmentKey
  readonly clock: Pick<Clock, 'now'>
}

export interface DiscoveryDeps extends ModelListDeps, Pick<Platform, 'log'> {
  readonly store: ConnectionStore
  /** Tells an account's pages that its models changed. */
  readonly changed: (accountId: string) => Promise<void>
}

export interface ModelDiscoverer {
  /** One of the four outcomes, of a request that began after this call. */
  discover(accountId: string, id: string): Promise<Discovery>
  /** Refreshes the catalogue for a model that is not in it; repeated calls for one model are limited. */
  refreshModel(accountId: string, id: string, model: string): Promise<void>
  /** Refreshes without waiting; one at a time for an account and a connection. */
  inBackground(accountId: string, id: string): void
}

export const createDiscoverer = (deps: DiscoveryDeps): ModelDiscoverer => {
  const running = new Map<string, Promise<Discovery>>()
  const sought = createCache<true>({ max: mostSought, ttl: { ms: seekAgainMs, clock: deps.clock } })

  const runDiscovery = async (accountId: string, id: string): Promise<Discovery> => {
    const connection = await deps.store.one(accountId, id)
    if (!connection) throw fail('plugin_not_found')
    const { outcome, models } = await requestModels(deps, connection)
    const recorded = await deps.store.saveDiscovery(accountId, connection, outcome, models)
    if (!recorded) return { outcome: 'unavailable', reason: 'The connection was changed or removed in the meantime.' }
    const before = connection.own.catalogue?.outcome
    if (outcome.outcome === 'updated' || outcomeKey(before) !== outcomeKey(outcome)) await deps.changed(accountId)
    return outcome
  }

  const start = (accountId: string, id: string): Promise<Discovery> => {
    const name = nameOf(accountId, id)
    const known = running.get(name)
    if (known) return known
    const fresh = runDiscovery(accountId, id).finally(() => running.delete(name))
    running.set(name, fresh)
    return fresh
  }

  const discover = async (accountId: string, id: string): Promise<Discovery> => {
    // A request under way may have begun with another key.
    await Promise.allSettled([running.get(nameOf(accountId, id))])
    return await start(accountId, id)
  }

  return {
    discover,
    async refreshModel(accountId, id, model) {
      const name = `${nameOf(accountId, id)}/${model}`
      if (sought.get(name)) return
      sought.set(name, true)
      await discover(accountId, id)
    },
    inBackground(accountId, id) {
      start(accountId, id).catch((error: unknown) => deps.log.error('background discovery failed', { error }))
    },
  }
}

const nameOf = (accountId: string, id: string): string => `${accountId}/${id}`

/** What pages show of an outcome: two successful ones are equal. */
const outcomeKey = (outcome: Discovery | undefined): string =>
  outcome === undefined || 'reason' in outcome ? JSON.stringify(outcome ?? null) : 'ready'

async function requestModels(
  deps: ModelListDeps,
  connection: AccountConnection,
): Promise<{ outcome: Discovery; models?: readonly ListedModel[] }> {
  const { route } = connection.installed
  if (route.fault !== null) return { outcome: { outcome: 'unavailable', reason: route.fault } }
  const missing = missingKey(connection, deps.environmentKey)
  if (missing !== null) return { outcome: { outcome: 'missing_credentials', reason: missing } }
  try {
    const models = await withCapabilityLists(deps, connection, await mainList(deps, connection))
    return { outcome: compareModelLists(connection.own.catalogue?.models ?? null, models), models }
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    return { outcome: { outcome: 'unavailable', reason: error.message } }
  }
}

async function mainList(deps: ModelListDeps, connection: AccountConnection): Promise<readonly ListedModel[]> {
  if (hasList(connection)) return await askForModels(deps, connection)
  const names = deploymentsOf(connection)
  return names.length > 0 ? names.map(modelOfId) : definedModels(connection.installed.definition)
}

/** What the account calls the models of a place where everybody names their own, separated by commas. */
function deploymentsOf({ installed: { bundled, values }, own }: AccountConnection): string[] {
  if (bundled?.unlisted !== true) return []
  const written = own.values['deployment'] ?? values['deployment'] ?? ''
  const names = String(written)
    .split(',')
    .map((name) => name.trim())
  return [...new Set(names)].filter(soundId)
}

/**
 * A sign-in lists nothing, nor does a place where everybody names their own, nor a server of nothing but speech or
 * images, unless its definition says where.
 */
export const hasList = ({ installed }: AccountConnection): boolean => {
  const { definition, values, bundled } = installed
  if (isSignedIn(installed)) return false
  if (bundled?.unlisted === true && bundled === definition && !values['models_endpoint']) return false
  if (definition.type === 'completion' || definition.type === 'chat') return true
  const preset = definition.variables?.find(({ name }) => name === 'models_endpoint')
  return Boolean(preset && (values['models_endpoint'] || preset.default))
}

/**
 * One list after the other. What a list holds takes the place of the names that the definition has; where it cannot be
 * had, what was known of that capability stays.
 */
async function withCapabilityLists(
  deps: ModelListDeps,
  connection: AccountConnection,
  main: readonly ListedModel[],
): Promise<readonly ListedModel[]> {
  const isDeclared = !hasList(connection)
  let models = main
  for (const [name, { modelsUrl }] of Object.entries(connection.installed.route.capabilities)) {
    if (modelsUrl === null) continue
    const capability = name as CapabilityName
    try {
      const listed = await askForModels(deps, connection, modelsUrl)
      models = withCapability(
        isDeclared ? models.filter(({ kind }) => kind !== capability) : models,
        capability,
        listed,
      )
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error
      const before = connection.own.catalogue ? modelsOf(connection) : []
      const label = capability === 'completion' ? 'chat' : capability
      models = withCapability(
        models,
        capability,
        before.filter((model) => modelLabels(model).includes(label)),
      )
    }
  }
  return models
}

/**
 * Gets and reads a model list. The destination is checked before a key is chosen. Throws ProviderFailure; a refused
 * destination is one that cannot be reached.
 */
export async function askForModels(
  { outbound, environmentKey, clock }: ModelListDeps,
  connection: AccountConnection,
  modelsUrl = connection.installed.route.modelsUrl,
  signal?: AbortSignal,
): Promise<ListedModel[]> {
  const { definition, bundled } = connection.installed
  const wire = wireOf(connection.installed)
  const url = await outbound.check(modelsUrl).catch((error: unknown) => {
    throw error instanceof Error && 'code' in error && error.code === 'url_not_allowed'
      ? new ProviderFailure('unreachable', error.message)
      : error
  })
  const key = keyFor(connection, environmentKey)?.value ?? null
  const plain = {
    accept: 'application/json',
    ...(wire ? wires[wire].headers : {}),
    ...(bundled ? attributionHeaders(bundled, url) : {}),
  }
  const sign = wire ? signerFor(wire, key, clock.now) : undefined
  const proof = sign ? sign({ method: 'GET', url, headers: plain, body: '' }) : keyHeaders(definition, key)
  const limits = { timeoutMs: discoveryMs, maxBytes: largestList, ...(signal ? { signal } : {}) }
  const headers = { ...plain, ...proof }
  return readModelList(await exchange(outbound, { method: 'GET', url, headers, hasKey: key !== null, ...limits }))
}

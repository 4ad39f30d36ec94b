/** Asks a provider for its models, and records what came of it. */
import type { Discovery } from '@atrium/contract/model-management'
import { fail } from '../../platform/http/refusal.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Outbound } from '../../platform/outbound/types.ts'
import { exchange } from '../../providers/exchange.ts'
import { type ListedModel, readModelList } from '../../providers/model-list.ts'
import { ProviderFailure } from '../../providers/types.ts'
import { compare, keyHeaders, missingKey, routeOf } from './rules.ts'
import type { ConnectionStore } from './store.ts'
import type { AccountConnection } from './types.ts'

/** A list that takes longer than this is as good as none. */
const discoveryMs = 5000
/** A list of thousands of models is a megabyte or two. */
export const largestList = 4 * 1024 * 1024

export interface DiscoveryDeps {
  readonly store: ConnectionStore
  readonly outbound: Outbound
  readonly log: Log
  /** Whether the environment sets a name. Its value is never used here. */
  readonly environmentHas: (name: string) => boolean
  /** Tells an account's pages that its models changed. */
  readonly changed: (accountId: string) => Promise<void>
}

export interface Discoverer {
  /** One of the four outcomes, from a look that began after this call. */
  discover(accountId: string, id: string): Promise<Discovery>
  /** A look that nobody waits for; one at a time for an account and a connection. */
  inBackground(accountId: string, id: string): void
}

export const createDiscoverer = (deps: DiscoveryDeps): Discoverer => {
  const running = new Map<string, Promise<Discovery>>()

  const look = async (accountId: string, id: string): Promise<Discovery> => {
    const connection = await deps.store.one(accountId, id)
    if (!connection) throw fail('plugin_not_found')
    const { outcome, models } = await ask(deps, connection)
    const recorded = await deps.store.saveLook(accountId, connection, outcome, models)
    if (!recorded) return { outcome: 'unavailable', reason: 'The connection was changed or removed meanwhile.' }
    const before = connection.own.catalogue?.outcome
    if (outcome.outcome === 'updated' || standing(before) !== standing(outcome)) await deps.changed(accountId)
    return outcome
  }

  const start = (accountId: string, id: string): Promise<Discovery> => {
    const name = nameOf(accountId, id)
    const known = running.get(name)
    if (known) return known
    const fresh = look(accountId, id).finally(() => running.delete(name))
    running.set(name, fresh)
    return fresh
  }

  return {
    async discover(accountId, id) {
      // A look that is under way may have begun with another key.
      await Promise.allSettled([running.get(nameOf(accountId, id))])
      return await start(accountId, id)
    },
    inBackground(accountId, id) {
      start(accountId, id).catch((error: unknown) => deps.log.error('background discovery failed', { error }))
    },
  }
}

const nameOf = (accountId: string, id: string): string => `${accountId}/${id}`

/** What pages show of an outcome: two good ones look the same. */
const standing = (outcome: Discovery | undefined): string =>
  outcome === undefined || 'reason' in outcome ? JSON.stringify(outcome ?? null) : 'ready'

async function ask(
  deps: DiscoveryDeps,
  connection: AccountConnection,
): Promise<{ outcome: Discovery; models?: readonly ListedModel[] }> {
  const missing = missingKey(connection, deps.environmentHas)
  if (missing !== null) return { outcome: { outcome: 'missing_credentials', reason: missing } }
  const { definition } = connection.installed
  try {
    const models = await askForModels(deps.outbound, routeOf(definition).modelsUrl, () => ({
      headers: keyHeaders(definition, connection.own.key),
      hasKey: connection.own.key !== null,
    }))
    return { outcome: compare(connection.own.catalogue?.models ?? null, models), models }
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    return { outcome: { outcome: 'unavailable', reason: error.message } }
  }
}

/** Gets and reads a model list. The destination is checked before `withKey` is asked. Throws ProviderFailure. */
export async function askForModels(
  outbound: Pick<Outbound, 'check' | 'request'>,
  modelsUrl: string,
  withKey: () => { headers: Record<string, string>; hasKey: boolean },
): Promise<ListedModel[]> {
  const url = await checkAddress(outbound, modelsUrl)
  return readModelList(
    await exchange(outbound, { method: 'GET', url, timeoutMs: discoveryMs, maxBytes: largestList, ...withKey() }),
  )
}

/** A refused destination is one that cannot be reached. */
async function checkAddress(outbound: Pick<Outbound, 'check'>, address: string) {
  return await outbound.check(address).catch((error: unknown) => {
    throw error instanceof Error && 'code' in error && error.code === 'url_not_allowed'
      ? new ProviderFailure('unreachable', error.message)
      : error
  })
}

/** Resolves a selection to the endpoint of its model, or to the reason why there is none. Never to another model. */
import type { Selection } from '@atrium/contract/common'
import type { RuntimeModel } from '@atrium/contract/local-runtime'
import type { Clock } from '../../../platform/clock.ts'
import { Refusal } from '../../../platform/http/refusal.ts'
import type { Checked } from '../../../platform/outbound/types.ts'
import type { Platform } from '../../../platform/platform.ts'
import { attributionHeaders } from '../../../providers/attribution.ts'
import { inDialect } from '../../../providers/dialect.ts'
import { withModel } from '../../../providers/route.ts'
import { type Signer, signerFor } from '../../../providers/signing.ts'
import type { Wire } from '../../../providers/types.ts'
import { type WireId, wires } from '../../../providers/wires/index.ts'
import { drawsInAnswers, modelsOf } from '../catalogue/models.ts'
import type { ModelDiscoverer } from '../catalogue/discovery.ts'
import { type ReadEnvironmentKey, isSignedIn, keyFor, keyHeaders, missingCredential } from '../keys.ts'
import { localModel, localProviderName } from '../catalogue/model-list.ts'
import type { LocalModels } from '../catalogue/local-models.ts'
import type { ConnectionStore } from '../stores/index.ts'
import type { AccountConnection, InstalledDefinition, UsableModel, StoredValues } from '../types.ts'
import { wireOf } from '../definitions/wire.ts'

export interface EndpointDeps extends Pick<Platform, 'outbound'> {
  readonly store: ConnectionStore
  readonly local: LocalModels
  readonly discoverer: ModelDiscoverer
  readonly clock: Pick<Clock, 'now'>
  readonly maxContext: number
  readonly environmentKey: ReadEnvironmentKey
}

/** How a model is called: all but the turn. */
export interface ModelEndpoint {
  readonly wire: Wire
  readonly url: Checked<URL>
  /** With the key, where it travels in one. */
  readonly headers: Record<string, string>
  readonly hasKey: boolean
  readonly sign: Signer | undefined
  readonly model: string
  /** The headers of the server's own sign-in have to be put to it for every call. */
  readonly signedIn: boolean
}

export interface ModelAtEndpoint extends Omit<UsableModel, 'kind' | 'ask'> {
  readonly endpoint: ModelEndpoint
  /** Whether it takes `low`, `medium` and `high` where others only know whether to think. */
  readonly levels: boolean
  /** The account's own settings, for what a turn leaves open. */
  readonly settings: { readonly installed: InstalledDefinition; readonly values: StoredValues } | null
}

export type EndpointResolution = ModelAtEndpoint | { readonly unavailable: string }

/** Finds a model of the local runtime or of a connection. The catalogue is asked for once more before one is missing. */
export async function resolveEndpoint(
  deps: EndpointDeps,
  accountId: string,
  selection: Selection,
): Promise<EndpointResolution> {
  return selection.providerType === 'local'
    ? await locateLocal(deps, selection)
    : await locatePlugin(deps, accountId, selection)
}

async function locateLocal(deps: EndpointDeps, selection: Selection): Promise<EndpointResolution> {
  let known = await deps.local.current()
  if (known.state === 'disabled') return toUnavailable('The local runtime is off.')
  const find = () => known.models.find(({ name }) => name === selection.model || name === `${selection.model}:latest`)
  if (!find()) known = await deps.local.refresh()
  const found = find()
  if (!found) {
    const why = known.state === 'ready' ? `has no model ${selection.model} any more` : 'cannot be reached'
    return toUnavailable(`The local runtime ${why}.`)
  }
  const url = await checkAddress(deps, known.baseUrl.replace(/\/+$/, '') + wires.ollama.path)
  if (url instanceof Refusal) return toUnavailable(url.message)
  const can = (capability: string) => (found.capabilities.length > 0 ? found.capabilities.includes(capability) : null)
  const { name, contextWindow } = localModel(found, deps.maxContext)
  const thinking = can('thinking')
  return {
    selection,
    name,
    providerName: localProviderName,
    contextWindow,
    vision: can('vision'),
    tools: can('tools'),
    thinking,
    // A model that thinks first would begin to think in the middle of the sentence.
    prefills: thinking === false,
    sizesWindow: true,
    levels: knowsLevels(found),
    settings: null,
    endpoint: {
      wire: wires.ollama,
      url,
      headers: {},
      hasKey: false,
      sign: undefined,
      model: found.name,
      signedIn: false,
    },
  }
}

/** Other models take only a boolean. A copied model has another name, so the family it was made from decides. */
const knowsLevels = ({ family, name }: RuntimeModel): boolean => /gpt-?oss/i.test(`${family ?? ''} ${name}`)

async function locatePlugin(deps: EndpointDeps, accountId: string, selection: Selection): Promise<EndpointResolution> {
  const id = selection.providerId ?? ''
  let connection = await deps.store.one(accountId, id)
  if (!connection) return toUnavailable('This model’s connection was removed.')
  if (connection.own.activatedAt === null) return toUnavailable('This model’s connection is off.')
  const why = missingCredential(connection, deps.environmentKey)
  if (why !== null) return toUnavailable(why)
  if (!find(connection, selection.model)) {
    await deps.discoverer.refreshModel(accountId, id, selection.model)
    connection = await deps.store.one(accountId, id)
  }
  if (!connection) return toUnavailable('This model’s connection was removed.')
  return await resolveConnectionEndpoint(deps, connection, selection.model)
}

/** A model of this connection, whether the account uses the connection or not. */
export async function resolveConnectionEndpoint(
  deps: Pick<EndpointDeps, 'outbound' | 'clock' | 'environmentKey'>,
  connection: AccountConnection,
  model: string,
): Promise<EndpointResolution> {
  const why = missingCredential(connection, deps.environmentKey)
  if (why !== null) return toUnavailable(why)
  const { type } = connection.installed.definition
  if (type !== 'completion' && type !== 'chat') return toUnavailable('This connection doesn’t support chats.')
  const found = find(connection, model)
  if (!found) return toUnavailable('The provider no longer lists this model.')
  const endpoint = await buildEndpoint(deps, connection, found.id)
  if ('unavailable' in endpoint) return endpoint
  const { installed, own } = connection
  return {
    selection: { providerType: 'plugin', providerId: installed.definition.id, model: found.id },
    name: found.id,
    providerName: installed.definition.name,
    contextWindow: found.contextWindow,
    vision: found.vision,
    tools: found.tools,
    thinking: found.thinking,
    prefills: false,
    sizesWindow: false,
    draws: drawsInAnswers(installed.definition, found, endpoint.wire.id as WireId),
    levels: true,
    settings: { installed, values: own.values },
    endpoint,
  }
}

/** Where a connection is asked for a turn of this model. The destination is checked before a key is chosen for it. */
async function buildEndpoint(
  deps: Pick<EndpointDeps, 'outbound' | 'clock' | 'environmentKey'>,
  connection: AccountConnection,
  model: string,
): Promise<ModelEndpoint | { readonly unavailable: string }> {
  const { installed } = connection
  const { definition, bundled, route } = installed
  const id = wireOf(installed)
  if (id === null) {
    return toUnavailable('This connection uses the old format for plain completions, which doesn’t support chats.')
  }
  // A rule of a provider's own is one of the format that it has.
  const wire = bundled?.wire === id ? inDialect(wires[id], bundled) : wires[id]
  const address = wire.address?.(route.url, model) ?? withModel(route.url, model)
  const url = await checkAddress(deps, address)
  if (url instanceof Refusal) return toUnavailable(url.message)
  const key = keyFor(connection, deps.environmentKey)?.value ?? null
  const sign = signerFor(id, key, deps.clock.now)
  return {
    wire,
    url,
    headers: {
      ...(bundled ? attributionHeaders(bundled, url) : {}),
      // A key that signs is never sent.
      ...(sign ? {} : keyHeaders(definition, key)),
    },
    hasKey: key !== null,
    sign,
    model,
    signedIn: isSignedIn(installed),
  }
}

const find = (connection: AccountConnection, model: string) => modelsOf(connection).find(({ id }) => id === model)

/** The address as it may be called, or why it may not. */
export const checkAddress = (
  { outbound }: Pick<EndpointDeps, 'outbound'>,
  address: string,
): Promise<Checked<URL> | Refusal> =>
  outbound.check(address).catch((error: unknown) => {
    if (error instanceof Refusal) return error
    throw error
  })

export const toUnavailable = (words: string) => ({ unavailable: words })

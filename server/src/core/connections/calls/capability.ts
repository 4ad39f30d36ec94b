/**
 * What connections can do besides chat: embeddings, images, speech, transcriptions.
 *
 *     const found = await connections.capability(accountId, 'embedding', { providerId, model })
 *     if ('unavailable' in found) …                     // a sentence that says why
 *     const { vectors } = await found.usable.call({ input: ['…'] }, signal, { tokenId })
 *
 * `providerId` is `local` for the local runtime. `call` throws ProviderFailure (also `over_budget`, before anything is
 * asked, and `too_large` where the definition's own bounds say so); for speech, the sound itself may throw later. The
 * questions and answers are in providers/operations/types.ts. `connections.capabilityModels(accountId, 'image')` lists
 * what an account has, `{ providerId, providerName, model, config }` each.
 *
 * Each capability has an endpoint of its own: where chat goes says nothing about it. Nothing is asked of another
 * provider than the one that was named.
 */
import { Refusal } from '../../../platform/http/refusal.ts'
import type { Checked } from '../../../platform/outbound/types.ts'
import { attributionHeaders } from '../../../providers/attribution.ts'
import type { AdmitCall } from '../../../providers/metering.ts'
import {
  estimate,
  joinAnswers,
  violatedLimit,
  type OperationName,
  type Operations,
  perform,
  splitAsk,
} from '../../../providers/operations/index.ts'
import type { Runner } from '../../../providers/runner.ts'
import {
  type CapabilityModel,
  toCapabilityModel,
  embeddingFormat,
  isEmbeddingModel,
  unavailableReason,
  modelsFor,
  requestVariables,
  capabilityUrl,
  capabilityNames,
} from './capability-offers.ts'
import { keyFor, keyHeaders } from '../keys.ts'
import { localProviderName } from '../catalogue/model-list.ts'
import { checkAddress, type EndpointDeps, toUnavailable } from './endpoint.ts'
import type { CallOrigin } from '../types.ts'

export type { CapabilityModel } from './capability-offers.ts'

export interface CapabilityDeps extends EndpointDeps {
  readonly runner: Pick<Runner, 'measure'>
  readonly admit: AdmitCall
}

export interface UsableCapability<N extends OperationName> extends CapabilityModel {
  /** Asks it, once it is admitted. Throws ProviderFailure. */
  call(ask: Operations[N]['ask'], signal: AbortSignal, about?: CallOrigin): Promise<Operations[N]['answer']>
}

export type ResolvedCapability<N extends OperationName> =
  | { readonly usable: UsableCapability<N> }
  | { readonly unavailable: string }

export interface CapabilityResolver {
  resolve<N extends OperationName>(
    accountId: string,
    capability: N,
    of: Pick<CapabilityModel, 'providerId' | 'model'>,
  ): Promise<ResolvedCapability<N>>
  list(accountId: string, capability: OperationName): Promise<CapabilityModel[]>
}

export const createCapabilityResolver = (deps: CapabilityDeps): CapabilityResolver => ({
  resolve: (accountId, capability, { providerId, model }) =>
    providerId === 'local'
      ? resolveLocal(deps, accountId, capability, model)
      : resolvePlugin(deps, accountId, capability, providerId, model),

  async list(accountId, capability) {
    const local = capability === 'embedding' ? (await deps.local.current()).models.filter(isEmbeddingModel) : []
    const connections = await deps.store.all(accountId)
    return [
      ...local.map(({ name }) => ({ providerId: 'local', providerName: localProviderName, model: name, config: {} })),
      ...connections
        .filter(
          (connection) =>
            connection.own.activatedAt !== null && !unavailableReason(connection, capability, deps.environmentKey),
        )
        .flatMap((connection) =>
          modelsFor(connection, capability)
            .filter((model) => capabilityUrl(connection, capability, model) !== null)
            .map((model) => toCapabilityModel(connection, capability, model)),
        ),
    ]
  },
})

async function resolvePlugin<N extends OperationName>(
  deps: CapabilityDeps,
  accountId: string,
  capability: N,
  id: string,
  model: string,
): Promise<ResolvedCapability<N>> {
  let connection = await deps.store.one(accountId, id)
  if (!connection) return toUnavailable('The connection of this model was removed.')
  if (connection.own.activatedAt === null) return toUnavailable('The connection of this model is switched off.')
  const why = unavailableReason(connection, capability, deps.environmentKey)
  if (why !== null) return toUnavailable(why)
  if (!modelsFor(connection, capability).includes(model)) {
    await deps.discoverer.discover(accountId, id)
    connection = await deps.store.one(accountId, id)
  }
  if (!connection || !modelsFor(connection, capability).includes(model)) {
    return toUnavailable(`The provider lists no model of this name for ${capabilityNames[capability]}.`)
  }
  const route = capabilityUrl(connection, capability, model)
  if (route === null) return toUnavailable(`This connection offers nothing for ${capabilityNames[capability]}.`)
  const { definition, bundled } = connection.installed
  // The destination is judged before a key is chosen for it.
  const url = await checkAddress(deps, route)
  if (url instanceof Refusal) return toUnavailable(url.message)
  const about = toCapabilityModel(connection, capability, model)
  const key = keyFor(connection, deps.environmentKey)?.value ?? null
  const attribution = bundled ? attributionHeaders(bundled, url) : {}
  return usable(deps, accountId, capability, about, {
    url,
    headers: { ...attribution, ...keyHeaders(definition, key) },
    hasKey: key !== null,
    manner: { embeddings: embeddingFormat(connection), also: requestVariables(connection, about.config) },
  })
}

async function resolveLocal<N extends OperationName>(
  deps: CapabilityDeps,
  accountId: string,
  capability: N,
  model: string,
): Promise<ResolvedCapability<N>> {
  if (capability !== 'embedding')
    return toUnavailable(`The local runtime offers nothing for ${capabilityNames[capability]}.`)
  let known = await deps.local.current()
  if (known.state === 'disabled') return toUnavailable('The local runtime is switched off.')
  const find = () => known.models.find(({ name }) => name === model || name === `${model}:latest`)
  if (!find()) known = await deps.local.refresh()
  const found = find()
  if (!found || !isEmbeddingModel(found))
    return toUnavailable(`The local runtime has no model ${model} for ${capabilityNames[capability]}.`)
  const url = await checkAddress(deps, `${known.baseUrl.replace(/\/+$/, '')}/api/embed`)
  if (url instanceof Refusal) return toUnavailable(url.message)
  const about = { providerId: 'local', providerName: localProviderName, model: found.name, config: {} }
  return usable(deps, accountId, capability, about, {
    url,
    headers: {},
    hasKey: false,
    manner: { embeddings: 'local', also: {} },
  })
}

interface How {
  readonly url: Checked<URL>
  readonly headers: Readonly<Record<string, string>>
  readonly hasKey: boolean
  readonly manner: Parameters<typeof perform>[3]
}

function usable<N extends OperationName>(
  deps: CapabilityDeps,
  accountId: string,
  capability: N,
  about: CapabilityModel,
  { manner, ...how }: How,
): ResolvedCapability<N> {
  const { providerId, providerName, model, config } = about
  /** One call to the provider, and one to the meter. */
  const once = async (ask: Operations[N]['ask'], signal: AbortSignal, asking?: CallOrigin) => {
    const subject = await deps.admit({
      accountId,
      tokenId: asking?.tokenId ?? null,
      providerId,
      providerName,
      model,
      capability,
      inputTokens: estimate(ask),
      outputTokens: capability === 'embedding' || capability === 'tts' ? 0 : null,
    })
    const measure = deps.runner.measure({ subject, model })
    const { outbound } = deps
    return await perform(capability, { outbound, ...how, model, config, signal, measure }, ask, manner)
  }
  return {
    usable: {
      ...about,
      async call(ask, signal, asking) {
        const refused = violatedLimit(capability, config, ask)
        if (refused) throw refused
        const answers: Operations[N]['answer'][] = []
        for (const portion of splitAsk(capability, ask, config)) answers.push(await once(portion, signal, asking))
        return joinAnswers(capability, answers)
      },
    },
  }
}

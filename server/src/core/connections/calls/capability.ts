/**
 * What connections can do besides chat: embeddings, images, speech, transcriptions, sound.
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
import { attributionHeaders } from '../../../providers/attribution.ts'
import type { AdmitCall } from '../../../providers/metering.ts'
import {
  estimate,
  joinAnswers,
  mostPerCall,
  violatedLimit,
  type FormatName,
  type OperationName,
  type Operations,
  perform,
  splitAsk,
} from '../../../providers/operations/index.ts'
import type { OperationCall } from '../../../providers/operations/route.ts'
import type { Runner } from '../../../providers/runner.ts'
import { ProviderFailure } from '../../../providers/types.ts'
import {
  type CapabilityModel,
  toCapabilityModel,
  formatOf,
  originsOf,
  variablesOf,
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
import type { MakingOrigin } from '../types.ts'

export type { CapabilityModel } from './capability-offers.ts'

export interface CapabilityDeps extends EndpointDeps {
  readonly runner: Pick<Runner, 'measure'>
  readonly admit: AdmitCall
}

export interface UsableCapability<N extends OperationName> extends CapabilityModel {
  /** Asks it, once it is admitted. Throws ProviderFailure. */
  call(ask: Operations[N]['ask'], signal: AbortSignal, about?: MakingOrigin): Promise<Operations[N]['answer']>
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
    origins: originsOf(connection),
    headers: { ...attribution, ...keyHeaders(definition, key) },
    hasKey: key !== null,
    also: requestVariables(connection, about.config),
    variables: variablesOf(connection),
    format: formatOf(connection, capability),
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
    origins: [],
    headers: {},
    hasKey: false,
    also: {},
    variables: {},
    // Embeddings are all that the local runtime has.
    format: 'local' as FormatName<N>,
  })
}

interface How<N extends OperationName>
  extends Pick<OperationCall, 'url' | 'origins' | 'headers' | 'hasKey' | 'also' | 'variables'> {
  readonly format: FormatName<N>
}

function usable<N extends OperationName>(
  deps: CapabilityDeps,
  accountId: string,
  capability: N,
  about: CapabilityModel,
  { format, ...how }: How<N>,
): ResolvedCapability<N> {
  const { providerId, providerName, model, config } = about
  /** One call to the provider, and one to the meter. */
  const once = async (ask: Operations[N]['ask'], signal: AbortSignal, asking?: MakingOrigin) => {
    const subject = await deps.admit({
      accountId,
      tokenId: asking?.tokenId ?? null,
      providerId,
      providerName,
      model,
      capability,
      inputTokens: estimate(ask),
      outputTokens: capability === 'embedding' || capability === 'tts' ? 0 : null,
      ...unitsOf(ask),
    })
    const measure = deps.runner.measure({ subject, model })
    const { outbound } = deps
    const heard = asking?.heard
    return await perform(capability, { outbound, ...how, model, config, signal, measure, heard }, format, ask)
  }
  return {
    usable: {
      ...about,
      async call(ask, signal, asking) {
        const refused = violatedLimit(capability, config, ask)
        if (refused) throw refused
        const answers: Operations[N]['answer'][] = []
        let failure: ProviderFailure | null = null
        for (const portion of splitAsk(capability, ask, config, mostPerCall(capability, format))) {
          try {
            answers.push(await once(portion, signal, asking))
          } catch (error) {
            // What was made, and paid for, is not thrown away because a further one failed.
            if (capability !== 'image' || !(error instanceof ProviderFailure)) throw error
            failure = error
            if (error.kind !== 'moderated') break
          }
        }
        if (failure && answers.length === 0) throw failure
        const joined = joinAnswers(capability, answers)
        if (!failure || !('pictures' in joined)) return joined
        return { ...joined, missing: { count: (countOf(ask) ?? 1) - joined.pictures.length, failure } }
      },
    },
  }
}

const countOf = (ask: object): number | undefined =>
  'count' in ask && typeof ask.count === 'number' ? ask.count : undefined

const unitsOf = (ask: object): { readonly units?: number } => {
  const units = countOf(ask)
  return units === undefined ? {} : { units }
}

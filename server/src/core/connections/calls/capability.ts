/**
 * What connections can do besides chat: embeddings, images, speech, transcriptions, sound.
 *
 *     const found = await connections.capability(accountId, 'embedding', { providerId, model })
 *     if ('unavailable' in found) …                     // a sentence that says why
 *     const { vectors } = await found.usable.call({ input: ['…'] }, signal, { tokenId })
 *
 * `providerId` is `local` for the local runtime, and `builtin` for what needs neither model nor network. `call` throws ProviderFailure (also `over_budget`, before anything is
 * asked, and `too_large` where the definition's own bounds say so); for speech, the sound itself may throw later. The
 * questions and answers are in providers/operations/types.ts. `connections.capabilityModels(accountId, 'image')` lists
 * what an account has, `{ providerId, providerName, model, config }` each.
 *
 * Each capability has an endpoint of its own: where chat goes says nothing about it. Nothing is asked of another
 * provider than the one that was named.
 */
import { Refusal } from '../../../platform/http/refusal.ts'
import type { AdmitCall } from '../../../providers/metering.ts'
import {
  estimate,
  joinAnswers,
  mostPerCall,
  mostSources,
  takesAvif,
  violatedLimit,
  type FormatName,
  type FormattedCapability,
  type OperationName,
  type Operations,
  perform,
  splitAsk,
  withMissing,
} from '../../../providers/operations/index.ts'
import type { Runner } from '../../../providers/runner.ts'
import { ProviderFailure } from '../../../providers/types.ts'
import {
  type CapabilityModel,
  capabilityNames,
  capabilityUrl,
  isEmbeddingModel,
  modelsFor,
  toListableModel,
  unavailableReason,
} from './capability-offers.ts'
import { type CapabilityReach, reachCapability } from './capability-reach.ts'
import { builtinVoice, speakBuiltin } from './builtin-voice.ts'
import { type AddVoices, createListedVoices, withVoiceId } from './listed-voices.ts'
import { localProviderName } from '../catalogue/model-list.ts'
import { checkAddress, type EndpointDeps, toUnavailable } from './endpoint.ts'
import type { MakingOrigin } from '../types.ts'

export type { CapabilityModel } from './capability-offers.ts'

export interface CapabilityDeps extends EndpointDeps {
  readonly runner: Pick<Runner, 'measure'>
  readonly admit: AdmitCall
}

export interface UsableCapability<N extends OperationName> extends CapabilityModel {
  /** From how many pictures it draws one; 0: from words alone. */
  readonly mostSources: number
  /** Whether those may be AVIF. */
  readonly takesAvif: boolean
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
  list(accountId: string, capability: FormattedCapability): Promise<CapabilityModel[]>
}

export const createCapabilityResolver = (needed: CapabilityDeps): CapabilityResolver => {
  const deps: WithVoices = { ...needed, addVoices: createListedVoices(needed) }
  return {
    async resolve(accountId, capability, { providerId, model }) {
      if (providerId === builtinVoice.providerId) return resolveBuiltin(capability, model)
      return providerId === 'local'
        ? resolveLocal(deps, accountId, capability, model)
        : resolvePlugin(deps, accountId, capability, providerId, model)
    },
    list: (accountId, capability) => listModels(deps, accountId, capability),
  }
}

interface WithVoices extends CapabilityDeps {
  readonly addVoices: AddVoices
}

async function listModels(
  { local, store, environmentKey, addVoices }: WithVoices,
  accountId: string,
  capability: FormattedCapability,
): Promise<CapabilityModel[]> {
  const embedders = capability === 'embedding' ? (await local.current()).models.filter(isEmbeddingModel) : []
  const connections = await store.all(accountId)
  const offered = connections
    .filter(
      (connection) => connection.own.activatedAt !== null && !unavailableReason(connection, capability, environmentKey),
    )
    .flatMap((connection) =>
      modelsFor(connection, capability)
        .filter((model) => capabilityUrl(connection, capability, model) !== null)
        .map((model) => ({ connection, about: toListableModel(connection, capability, model) })),
    )
  return [
    ...embedders.map(({ name }) => ({ providerId: 'local', providerName: localProviderName, model: name, config: {} })),
    ...(await Promise.all(
      offered.map(async ({ connection, about }) =>
        capability === 'tts' ? await addVoices(accountId, connection, about) : about,
      ),
    )),
    // The last: where a model was connected for it, that one is meant first.
    ...(capability === 'tts' ? [builtinVoice] : []),
  ]
}

function resolveBuiltin<N extends OperationName>(capability: N, model: string): ResolvedCapability<N> {
  if (capability !== 'tts' || model !== builtinVoice.model)
    return toUnavailable(`There is no built-in model ${model} for ${capabilityNames[capability]}.`)
  const usable: UsableCapability<'tts'> = { ...builtinVoice, mostSources: 0, takesAvif: false, call: speakBuiltin }
  // The capability is speech, as was just seen.
  return { usable: usable as unknown as UsableCapability<N> }
}

async function resolvePlugin<N extends OperationName>(
  deps: WithVoices,
  accountId: string,
  capability: N,
  id: string,
  model: string,
): Promise<ResolvedCapability<N>> {
  const found = await reachCapability(deps, accountId, capability, { providerId: id, model })
  if ('unavailable' in found) return found
  const about = capability === 'tts' ? await deps.addVoices(accountId, found.connection, found.about) : found.about
  return usable(deps, accountId, capability, about, found.reach)
}

async function resolveLocal<N extends OperationName>(
  deps: CapabilityDeps,
  accountId: string,
  capability: N,
  model: string,
): Promise<ResolvedCapability<N>> {
  if (capability !== 'embedding')
    return toUnavailable(`The local runtime doesn’t support ${capabilityNames[capability]}.`)
  let known = await deps.local.current()
  if (known.state === 'disabled') return toUnavailable('The local runtime is off.')
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

function usable<N extends OperationName>(
  deps: CapabilityDeps,
  accountId: string,
  capability: N,
  about: CapabilityModel,
  { format, ...how }: CapabilityReach<N>,
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
    const { heard, partials } = asking ?? {}
    const call = { outbound, ...how, model, config, signal, measure, heard, partials }
    return await perform(capability, call, format, withVoiceId(ask, config))
  }
  return {
    usable: {
      ...about,
      mostSources: capability === 'image' ? mostSources(format as FormatName<'image'>, config) : 0,
      takesAvif: capability === 'image' && takesAvif(format as FormatName<'image'>),
      async call(ask, signal, asking) {
        const portions = splitAsk(capability, ask, config, mostPerCall(capability, format))
        for (const portion of portions) {
          const refused = violatedLimit(capability, config, portion)
          if (refused) throw refused
        }
        const tooMany = tooManySources(capability, format, config, ask)
        if (tooMany) throw tooMany
        const answers: Operations[N]['answer'][] = []
        let failure: ProviderFailure | null = null
        for (const portion of portions) {
          try {
            answers.push(await once(portion, signal, asking))
          } catch (error) {
            // What was made, and paid for, is not thrown away because a further one failed.
            if (!(error instanceof ProviderFailure) || !keepsParts(capability, ask, error)) throw error
            failure = error
            if (capability !== 'image' || error.kind !== 'moderated') break
          }
        }
        if (failure && answers.length === 0) throw failure
        const joined = joinAnswers(capability, answers, portions)
        if (failure && 'segments' in joined)
          return withMissing(joined, portions as Operations['stt']['ask'][], answers.length, failure)
        if (!failure || !('pictures' in joined)) return joined
        return { ...joined, missing: { count: (countOf(ask) ?? 1) - joined.pictures.length, failure } }
      },
    },
  }
}

/** An edit is not asked of whoever would draw something else instead. */
function tooManySources(
  capability: OperationName,
  format: unknown,
  config: CapabilityModel['config'],
  ask: object,
): ProviderFailure | null {
  const wanted = 'sources' in ask && Array.isArray(ask.sources) ? ask.sources.length : 0
  if (capability !== 'image' || wanted === 0) return null
  const most = mostSources(format as FormatName<'image'>, config)
  if (most === 0) return new ProviderFailure('rejected', 'This model creates images from text only.', 400)
  if (wanted > most)
    return new ProviderFailure(
      'rejected',
      `This model accepts at most ${most} source ${most === 1 ? 'image' : 'images'}.`,
      400,
    )
  const masked = 'mask' in ask && ask.mask !== undefined
  return masked && config['supports_mask'] === false
    ? new ProviderFailure('rejected', 'This model doesn’t support masks.', 400)
    : null
}

/** Whether the rest is given where a part failed: pictures always, a transcript to whoever says so and did not stop. */
const keepsParts = (capability: OperationName, ask: object, { kind }: ProviderFailure): boolean =>
  capability === 'image' || ('partial' in ask && ask.partial === true && kind !== 'aborted')

const countOf = (ask: object): number | undefined =>
  'count' in ask && typeof ask.count === 'number' ? ask.count : undefined

const unitsOf = (ask: object): { readonly units?: number } => {
  const units = countOf(ask)
  return units === undefined ? {} : { units }
}

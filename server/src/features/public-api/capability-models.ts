/** Models for something else than chat, by the ids of `/v1`. */
import type { FeatureName } from '@atrium/contract/access'
import type { ApiModel } from '@atrium/contract/public-api'
import type { Features } from '../../core/access/index.ts'
import {
  type CapabilityModel,
  type Connections,
  type MakingOrigin,
  refusalOf,
  soundWithEnd,
} from '../../core/connections/index.ts'
import type { Caller } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { OperationName, Operations, Speech } from '../../providers/operations/index.ts'

export interface OtherModelsDeps {
  /** Who may use speech, here as in the app. */
  readonly features: Pick<Features, 'allows' | 'require' | 'watch'>
  readonly capability: Connections['capability']
  readonly capabilityModels: Connections['capabilityModels']
}

export interface OtherModels {
  list(caller: Caller): Promise<ApiModel[]>
  /** Asks the model of an id. Refuses what is unknown, ambiguous, not allowed or not usable. */
  ask<N extends OperationName>(
    caller: Caller,
    capability: N,
    id: string,
    ask: Operations[N]['ask'],
    signal: AbortSignal,
    about?: Pick<MakingOrigin, 'heard' | 'partials'>,
  ): Promise<Operations[N]['answer']>
}

const capabilities: readonly OperationName[] = ['embedding', 'image', 'tts', 'stt']
const featureOf: Readonly<Partial<Record<OperationName, FeatureName>>> = { tts: 'voice-output', stt: 'voice-input' }

export const createOtherModels = ({
  features,
  capability: resolve,
  capabilityModels,
}: OtherModelsDeps): OtherModels => ({
  async list(caller) {
    const lists = await Promise.all(
      capabilities.map(async (capability) => {
        const feature = featureOf[capability]
        const isAllowed = feature === undefined || (await features.allows(feature, caller.accountId))
        return isAllowed ? await capabilityModels(caller.accountId, capability) : []
      }),
    )
    const byId = new Map(lists.flat().map((model) => [qualifiedId(model), model]))
    return [...byId.values()].filter((model) => isAllowed(caller, model)).map(toApiModel)
  },

  async ask(caller, capability, id, ask, signal, about) {
    const feature = featureOf[capability]
    if (feature) await features.require(feature, caller.accountId)
    const of = await pick(caller, id, await capabilityModels(caller.accountId, capability))
    if (!isAllowed(caller, of)) throw fail('token_scope', `This API token can’t use the model ${id}.`)
    const found = await resolve(caller.accountId, capability, of)
    if ('unavailable' in found) throw fail('model_not_found', found.unavailable)
    const watched = feature ? features.watch(feature, caller.accountId, signal) : { signal, end: () => undefined }
    try {
      // Asked again once it is watched: what was taken away meanwhile is seen here or by the watch.
      if (feature) await features.require(feature, caller.accountId)
      const origin = { ...about, tokenId: caller.token?.id ?? null }
      const answer = await found.usable.call(ask, watched.signal, origin)
      // Sound comes after the answer began, and ends with the right too.
      if (isSound(answer)) return { ...answer, body: soundWithEnd(answer.body, watched.end) }
      watched.end()
      return answer
    } catch (error) {
      watched.end()
      throw watched.signal.aborted && !signal.aborted ? watched.signal.reason : refusalOf(error)
    }
  },
})

const isSound = (answer: object): answer is Speech => 'body' in answer

type Named = Pick<CapabilityModel, 'providerId' | 'model'>

/** A qualified id may name what is in no list yet: the connection refreshes its catalogue before it refuses. */
const pick = async (caller: Caller, id: string, models: readonly CapabilityModel[]): Promise<Named> => {
  const qualified = models.find((model) => qualifiedId(model) === id)
  if (qualified) return qualified
  const raw = models.filter(
    ({ model, providerId }) => model === id || (providerId === 'local' && model === `${id}:latest`),
  )
  const [only, ...others] = raw
  if (only && others.length === 0) return only
  if (only) {
    const ids = raw.map(qualifiedId).join(', ')
    throw fail('model_ambiguous', `Several providers have a model with this id. Use one of these: ${ids}.`)
  }
  const [, providerId, model] = /^([^/]+)\/(.+)$/s.exec(id) ?? []
  if (providerId && model) return { providerId, model }
  throw fail('model_not_found', `Model ${id.slice(0, 100)} can’t be used for this.`)
}

const qualifiedId = ({ providerId, model }: Named): string => `${providerId}/${model}`

const isAllowed = ({ token }: Caller, of: Named): boolean =>
  !token?.models || token.models.some((id) => id === of.model || id === qualifiedId(of))

const toApiModel = (of: Named & Pick<CapabilityModel, 'createdAt'>): ApiModel => ({
  id: qualifiedId(of),
  object: 'model',
  created: of.createdAt ?? 0,
  owned_by: of.providerId,
})

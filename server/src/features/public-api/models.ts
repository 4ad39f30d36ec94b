/** Which models `/v1` knows by which ids, per account, kept for a moment: a busy client asks for the same one again. */
import type { Model } from '@atrium/contract/connections'
import type { ApiModel } from '@atrium/contract/public-api'
import { createCache } from '../../platform/cache/cache.ts'
import type { Caller } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Connections, UsableModel } from '../../core/connections/index.ts'
import type { Platform } from '../../platform/platform.ts'

export interface ModelsDeps extends Pick<Platform, 'clock'> {
  readonly listModels: Connections['listModels']
  readonly resolveModel: Connections['resolve']
}

export interface ApiModels {
  /** Those that a caller may use. */
  list(caller: Caller): Promise<ApiModel[]>
  describe(caller: Caller, id: string): Promise<ApiModel>
  /** The model of an id, ready to be asked. Refuses what is unknown, ambiguous, not allowed or not usable. */
  find(caller: Caller, id: string): Promise<UsableModel>
  /** Something about the models of this account changed; null: of every account. */
  forget(accountId: string | null): void
}

/** How long what was read of an account is used again, where nobody says that it changed. */
const cacheMs = 1000
/** From then on it is read again behind the back of a busy client, so that none of its requests waits for that. */
const renewedMs = 500
const cachedAccounts = 1000

interface Known {
  readonly models: readonly Model[]
  readonly byId: ReadonlyMap<string, readonly Model[]>
  readonly usable: Map<Model, Promise<UsableModel>>
}

interface CachedModels {
  readonly readAt: number
  readonly known: Promise<Known>
  renewing?: boolean
}

export const createApiModels = ({ clock, listModels, resolveModel }: ModelsDeps): ApiModels => {
  // Promises, so that of many requests at a time one reads and the others wait for it.
  const accounts = createCache<CachedModels>({ max: cachedAccounts })

  const read = async (accountId: string): Promise<Known> => {
    const { items } = await listModels(accountId)
    const models = items.filter(
      ({ selection }) => selection.providerType !== 'builtin' && selection.providerType !== 'agent',
    )
    return { models, byId: indexOf(models), usable: new Map() }
  }

  const readAgain = (accountId: string): Promise<Known> => {
    const reading = { readAt: clock.now(), known: read(accountId) }
    accounts.set(accountId, reading)
    reading.known.catch(() => {
      if (accounts.get(accountId) === reading) accounts.forget(accountId)
    })
    return reading.known
  }

  /** Takes the place of what is kept when it is there, unless that was forgotten meanwhile. Nobody waits for it. */
  const renew = (accountId: string, kept: CachedModels): void => {
    kept.renewing = true
    const readAt = clock.now()
    void read(accountId).then(
      (found) => {
        if (accounts.get(accountId) === kept) accounts.set(accountId, { readAt, known: Promise.resolve(found) })
      },
      () => {
        // The next request that finds it too old reads it itself, and hears why it cannot be read.
        kept.renewing = false
      },
    )
  }

  const known = (accountId: string, fresh = false): Promise<Known> => {
    const kept = accounts.get(accountId)
    const age = kept ? clock.now() - kept.readAt : cacheMs
    if (!kept || fresh || age >= cacheMs) return readAgain(accountId)
    if (age >= renewedMs && !kept.renewing) renew(accountId, kept)
    return kept.known
  }

  const resolve = async (accountId: string, model: Model): Promise<UsableModel> => {
    const resolved = await resolveModel(accountId, model.selection)
    if ('unavailable' in resolved) throw fail('model_unavailable', resolved.unavailable)
    return resolved.model
  }

  const pick = async (caller: Caller, id: string): Promise<{ all: Known; model: Model }> => {
    let all = await known(caller.accountId)
    if (!all.byId.has(id)) {
      // It may be new; the models of the local runtime are read again.
      const model = /^local\/(.{1,200})$/s.exec(id)?.[1]
      if (model) await resolveModel(caller.accountId, { providerType: 'local', providerId: null, model })
      all = await known(caller.accountId, true)
    }
    const found = all.byId.get(id) ?? []
    const [model, ...others] = found
    if (!model) throw fail('model_not_found', `Model ${id.slice(0, 100)} isn’t available to this account.`)
    if (others.length > 0) {
      const ids = found.map(qualifiedId).join(', ')
      throw fail('model_ambiguous', `Several providers have a model with this id. Use one of these: ${ids}.`)
    }
    if (!isAllowed(caller, model)) throw fail('token_scope', `This API token can’t use the model ${id}.`)
    return { all, model }
  }

  return {
    async list(caller) {
      const { models, byId } = await known(caller.accountId)
      const allowed = models.filter((model) => isAllowed(caller, model))
      const raw = allowed.filter((model) => {
        const found = byId.get(model.selection.model)
        return found?.length === 1 && found[0] === model
      })
      return [
        ...raw.map((model) => toApiModel(model, model.selection.model)),
        ...allowed.map((model) => toApiModel(model, qualifiedId(model))),
      ]
    },
    async describe(caller, id) {
      return toApiModel((await pick(caller, id)).model, id)
    },
    async find(caller, id) {
      const { all, model } = await pick(caller, id)
      let ready = all.usable.get(model)
      if (!ready) {
        ready = resolve(caller.accountId, model)
        all.usable.set(model, ready)
        ready.catch(() => all.usable.delete(model))
      }
      return await ready
    },
    forget(accountId) {
      accounts.forget(accountId ?? undefined)
    },
  }
}

const providerOf = ({ selection }: Model): string => selection.providerId ?? 'local'
const qualifiedId = (model: Model): string => `${providerOf(model)}/${model.selection.model}`

/** A list of models may name them either way. */
const isAllowed = ({ token }: Caller, model: Model): boolean =>
  !token?.models ||
  token.models.some((id) => id === model.selection.model || id === model.name || id === qualifiedId(model))

/** By qualified and raw id, and by the short name of a local model where nothing else is called that. */
const indexOf = (models: readonly Model[]): Map<string, Model[]> => {
  const byId = new Map<string, Model[]>()
  const add = (id: string, model: Model): void => {
    const there = byId.get(id)
    if (!there) byId.set(id, [model])
    else if (!there.includes(model)) there.push(model)
  }
  const locals = models.filter(({ selection }) => selection.providerType === 'local')
  for (const model of models) add(model.selection.model, model)
  for (const model of locals.filter(({ name }) => !byId.has(name))) add(model.name, model)
  // A qualified id always means its own provider, whatever another one calls its models.
  for (const model of locals) byId.set(`local/${model.name}`, [model])
  for (const model of models) byId.set(qualifiedId(model), [model])
  return byId
}

const toApiModel = (model: Model, id: string): ApiModel => ({
  id,
  object: 'model',
  created: model.createdAt === undefined ? 0 : Math.floor(Date.parse(model.createdAt) / 1000),
  owned_by: providerOf(model),
  ...(model.contextWindow === null ? {} : { context_length: model.contextWindow }),
})

/** What models a connection has, of every kind, from what its provider listed and what its definition names. Pure. */
import type { Capability, CatalogueModel, Definition, Discovery, Model, ModelPrice } from '@atrium/contract/connections'
import { z } from 'zod'
import { type ListedModel, modelOfId, soundId } from '../../../providers/model-list.ts'
import type { WireId } from '../../../providers/wires/index.ts'
import type { CapabilityName, AccountConnection } from '../types.ts'

/** The price of a model in US dollars per million tokens; null where nobody knows one. */
export type PriceOf = (providerId: string, model: string) => ModelPrice | null

/** How soon a model usually begins on this server, and how often it failed lately; null where too few calls tell. */
export type SpeedOf = (providerId: string, model: string) => Pick<Model, 'firstTokenMs' | 'errorShare'> | null

const known = new WeakMap<readonly ListedModel[], WeakMap<Definition, readonly ListedModel[]>>()
const named = new WeakMap<Definition, readonly ListedModel[]>()

/** The account's catalogue, or the definition's own ids until there is one. */
export function modelsOf({ installed: { definition }, own }: AccountConnection): readonly ListedModel[] {
  const listed = own.catalogue?.models
  if (!listed) return remembered(named, definition, () => complete(definition, definedModels(definition)))
  const byDefinition = remembered(known, listed, () => new WeakMap<Definition, readonly ListedModel[]>())
  return remembered(byDefinition, definition, () => complete(definition, listed))
}

export const modelLabels = (model: ListedModel): Capability[] => [
  ...(model.kind === 'other' ? [] : [model.kind]),
  ...(model.also ?? []),
]

/** What a whole catalogue holds, in a steady order. */
export const labelsOf = (models: readonly ListedModel[]): Capability[] => {
  const found = new Set(models.flatMap(modelLabels))
  return order.filter((label) => found.has(label))
}

const order: readonly Capability[] = ['chat', 'embedding', 'image', 'tts', 'stt', 'audio', 'video']

export function toCatalogueModels(connection: AccountConnection, priceOf: PriceOf): CatalogueModel[] {
  const { id } = connection.installed.definition
  const listed = new Set(connection.own.catalogue?.models?.map((model) => model.id))
  return modelsOf(connection).map((model) => ({
    id: model.id,
    capabilities: modelLabels(model),
    features: featuresOf(model),
    contextWindow: model.contextWindow,
    price: priceOf(id, model.id),
    listed: listed.has(model.id),
  }))
}

export const featuresOf = (model: ListedModel) =>
  (['vision', 'tools', 'thinking'] as const).filter((feature) => model[feature] === true)

export function compareModelLists(before: readonly ListedModel[] | null, after: readonly ListedModel[]): Discovery {
  if (before !== null && JSON.stringify(sorted(before)) === JSON.stringify(sorted(after)))
    return { outcome: 'unchanged' }
  const old = new Set(before?.map((model) => model.id))
  const fresh = new Set(after.map((model) => model.id))
  const added = [...fresh].filter((id) => !old.has(id)).length
  return { outcome: 'updated', added, removed: [...old].filter((id) => !fresh.has(id)).length }
}

/** The models of the definition alone, for providers that list none. */
export const definedModels = (definition: Definition): ListedModel[] => {
  const kind = kindOfType[definition.type]
  return definition.model_map.filter(soundId).map((id) => (kind ? { ...modelOfId(id), kind } : modelOfId(id)))
}

/** Marks what a capability's own list holds, and puts it with the rest; what is there already keeps its place. */
export function withCapability(
  models: readonly ListedModel[],
  capability: CapabilityName,
  listed: readonly ListedModel[],
): ListedModel[] {
  const kind = capability === 'completion' ? 'chat' : capability
  const byId = new Map(models.map((model) => [model.id, model]))
  for (const model of listed) {
    const there = byId.get(model.id)
    if (!there) byId.set(model.id, { ...model, kind })
    else if (!modelLabels(there).includes(kind)) byId.set(model.id, { ...there, also: [...(there.also ?? []), kind] })
  }
  return [...byId.values()]
}

/** Ids that the definition names for a capability are for that, and not for chat. */
function complete(definition: Definition, models: readonly ListedModel[]): readonly ListedModel[] {
  let all = [...models]
  for (const [name, block] of Object.entries(definition.capabilities ?? {}) as [
    CapabilityName,
    { model_map: string[] },
  ][]) {
    if (name === 'completion') continue
    const declared = new Set(block.model_map)
    all = all.map((model) =>
      declared.has(model.id) && model.kind !== name && !drawsByList(model) ? { ...model, kind: name } : model,
    )
    // Where the provider has lists of its own, they say what there is.
    if (all.some((model) => modelLabels(model).includes(name))) continue
    all = withCapability(all, name, block.model_map.filter(soundId).map(modelOfId))
  }
  const image = definition.capabilities?.image
  const drawn = new Set(Object.values(drawnIn(image?.config)).flat())
  const both = new Set(image?.model_map.filter((id) => drawn.has(id)))
  return all.map((model) =>
    both.has(model.id) ? { ...model, kind: 'chat' as const, also: ['image' as const] } : model,
  )
}

/** Its provider lists it as one that writes and draws. */
const drawsByList = (model: ListedModel): boolean => model.kind === 'chat' && model.also?.includes('image') === true

/** Whether a model draws in its answers when it is asked in this format. */
export const drawsInAnswers = (definition: Definition, model: ListedModel, wire: WireId): boolean =>
  (wire === 'chat-completions' && drawsByList(model)) ||
  (drawnIn(definition.capabilities?.image?.config)[wire]?.includes(model.id) ?? false)

const DrawnIn = z.partialRecord(z.enum(['chat-completions', 'gemini', 'responses']), z.array(z.string()))

/** `draws_in_chat` among the choices for pictures: by formats, the models that draw in their answers. */
function drawnIn(config: Readonly<Record<string, unknown>> | undefined): Readonly<Partial<Record<WireId, string[]>>> {
  const said = DrawnIn.safeParse(config?.['draws_in_chat'])
  return said.success ? said.data : {}
}

const kindOfType: Partial<Record<Definition['type'], Exclude<ListedModel['kind'], 'chat' | 'other'>>> = {
  embedding: 'embedding',
  tts: 'tts',
  stt: 'stt',
  image: 'image',
  audio: 'audio',
  video: 'video',
}

const sorted = (models: readonly ListedModel[]) => [...models].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))

function remembered<K extends WeakKey, V>(map: WeakMap<K, V>, key: K, make: () => V): V {
  const there = map.get(key)
  if (there !== undefined) return there
  const value = make()
  map.set(key, value)
  return value
}

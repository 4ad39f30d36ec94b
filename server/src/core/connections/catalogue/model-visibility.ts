/** How the instance shows models to an account: what is hidden, what comes first, what is called otherwise. Pure. */
import type { Selection } from '@atrium/contract/common'
import type { Model, ModelList } from '@atrium/contract/connections'
import type { ModelVisibility } from '@atrium/contract/local-runtime'
import { chooseFallback, type StartPreferences } from '../rules.ts'

export type InstanceVisibility = ModelVisibility & {
  /** What was set cannot be read, so that nobody can tell which models are hidden. */
  readonly allHidden?: true
  /** The default model that the environment names, in the place of the one that was set. */
  readonly fixedModel?: string
}

/** For whom models are shown. */
export interface Viewer {
  /** Sees everything, with marks at what is hidden. */
  readonly isAdministrator: boolean
  readonly groupIds: readonly string[]
}

/** Tells of models, by their keys, whether they are hidden from somebody; from administrators none is. */
export function hiddenFrom(
  { allHidden, hidden, groups }: InstanceVisibility,
  { isAdministrator, groupIds }: Viewer,
): (key: string) => boolean {
  if (isAdministrator) return () => false
  const names = new Set(hidden)
  const own = new Set(groupIds)
  return (key) =>
    allHidden === true ||
    names.has(key) ||
    (Object.hasOwn(groups, key) && groups[key]?.some((id) => own.has(id)) !== true)
}

/** Hides, stars, orders and renames models. Administrators see hidden models, marked. An account's choice stays as long as it is shown. */
export function applyVisibility(
  list: ModelList,
  visibility: InstanceVisibility,
  viewer: Viewer,
  preferences: StartPreferences,
): ModelList {
  const isHidden = hiddenFrom(visibility, viewer)
  const marked = new Set(visibility.hidden)
  const starred = new Set(visibility.starred)
  const places = new Map(visibility.order.map((key, place) => [key, place]))
  const placeOf = ({ selection }: Model): number => {
    const place = places.get(visibilityKey(selection)) ?? places.size
    return starred.has(visibilityKey(selection)) ? place - places.size - 1 : place
  }
  const mark = (model: Model): Model => {
    const key = visibilityKey(model.selection)
    return {
      ...model,
      name: visibility.metadata[key]?.label ?? model.name,
      ...(starred.has(key) ? { starred: true } : {}),
      ...(visibility.allHidden || marked.has(key) ? { hidden: true } : {}),
    }
  }
  const shown = list.items.filter(({ selection }) => !isHidden(visibilityKey(selection)))
  const items = shown.toSorted((a, b) => placeOf(a) - placeOf(b)).map(mark)
  const open = items.filter((model) => model.hidden !== true)
  return {
    items,
    providers: list.providers.map((provider) => ({
      ...provider,
      modelCount: items.filter(({ selection }) => sameProvider(selection, provider)).length,
    })),
    fallback: chooseFallback(items, preferences, open, defaultModelOf(visibility, open)),
  }
}

/** The default of the instance: what the environment names, if exactly one model can be meant by it, else what was set. */
const defaultModelOf = (
  { fixedModel, defaultModel }: InstanceVisibility,
  models: readonly Model[],
): Selection | null => {
  if (fixedModel === undefined) return defaultModel
  // A name without a tag means the latest, as the local runtime has it.
  const names = [fixedModel, `${fixedModel}:latest`]
  const byKey = models.find(({ selection }) => names.includes(visibilityKey(selection)))
  const [byName, ...more] = byKey ? [byKey] : models.filter(({ selection }) => names.includes(selection.model))
  return more.length === 0 ? (byName?.selection ?? null) : null
}

/** A model of the local runtime goes by its name, any other by its provider's and its own. */
export const visibilityKey = ({ providerId, model }: Selection): string =>
  providerId === null ? model : `${providerId}/${model}`

const sameProvider = (
  a: Pick<Selection, 'providerType' | 'providerId'>,
  b: Pick<Selection, 'providerType' | 'providerId'>,
): boolean => a.providerType === b.providerType && a.providerId === b.providerId

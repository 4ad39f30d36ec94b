/** The models an account may pick, and how a choice is named, compared and explained. */
import type { Selection } from '@atrium/contract/common'
import { type Model, type ModelList, connectionsRoutes, type ModelProvider } from '@atrium/contract/connections'
import type { GenerationOptions } from '@atrium/contract/generation'
import type { Preferences } from '@atrium/contract/settings'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { savePreferences } from '../api/account.ts'
import { queryOf } from '../api/query.ts'
import { useAfterFirstView } from '../lib/first-view.ts'

export const modelsQuery = queryOptions({
  ...queryOf(connectionsRoutes.models),
  staleTime: 300_000,
  // A look that ends before the page hears of events is told to nobody: until all were looked at, the page asks again.
  refetchInterval: ({ state }) => (state.data?.providers.some(isBeingLookedAt) ? 2000 : false),
})

const isBeingLookedAt = ({ state }: ModelProvider): boolean => state === 'not-checked'

/** The catalogue; undefined while it is loaded for the first time, which is not before what the page is there for. */
export const useModels = (): ModelList | undefined => useQuery({ ...modelsQuery, enabled: useAfterFirstView() }).data

/** How a choice is written into favourites and recents: `<providerType>:<providerId or empty>:<model>`. */
export const modelKey = ({ providerType, providerId, model }: Selection): string =>
  `${providerType}:${providerId ?? ''}:${model}`

/** The choice that a key of favourites or recents stands for; null where it is none. */
export function selectionOf(key: string): Selection | null {
  const [, type, provider, model] = /^(local|plugin|agent|builtin):([^:]*):(.+)$/s.exec(key) ?? []
  if (!type || !model) return null
  return { providerType: type as Selection['providerType'], providerId: provider || null, model }
}

export const sameSelection = (a: Selection | null, b: Selection | null): boolean =>
  a !== null && b !== null && modelKey(a) === modelKey(b)

/** Whether nothing but the built-in model is there, which only quotes; false while nothing is known yet. */
export const hasNoModel = (list: ModelList | undefined): boolean =>
  list !== undefined && list.items.every(({ selection }) => selection.providerType === 'builtin')

export const findModel = (list: ModelList | undefined, selection: Selection | null): Model | undefined =>
  selection ? list?.items.find((model) => sameSelection(model.selection, selection)) : undefined

/** What a choice is called: by the catalogue, or by its own id where it is not in there. */
export const modelName = (list: ModelList | undefined, selection: Selection | null): string =>
  selection ? (findModel(list, selection)?.name ?? plainName(selection)) : ''

/** What a choice is called that is in no list. */
export const plainName = ({ providerType, providerId, model }: Selection): string =>
  providerType === 'agent' && providerId ? (model === 'default' ? providerId : `${providerId}: ${model}`) : model

export const providerKey = (provider: Pick<Selection, 'providerType' | 'providerId'>): string =>
  `${provider.providerType}:${provider.providerId ?? ''}`

export type UnavailableReason = 'removed' | 'agent-gone' | 'key-needed' | 'disabled' | 'unreachable' | 'model-gone'

/** Why a choice cannot be used just now; null when it can, or while nothing is known yet. */
export function unavailableReason(list: ModelList | undefined, selection: Selection | null): UnavailableReason | null {
  if (!list || !selection || findModel(list, selection)) return null
  const provider = list.providers.find(
    (other) => other.providerType === selection.providerType && other.providerId === selection.providerId,
  )
  if (!provider) return selection.providerType === 'agent' ? 'agent-gone' : 'removed'
  if (provider.state === 'key-needed' || provider.state === 'disabled' || provider.state === 'unreachable')
    return provider.state
  return 'model-gone'
}

/** The options that an account uses with a model where a chat says nothing: for all models, and over them for this one. */
export const ownOptions = (preferences: Preferences, selection: Selection | null): GenerationOptions => ({
  ...preferences.generationOptions,
  ...(selection && preferences.modelGenerationOptions[modelKey(selection)]),
})

/** Puts a model first among the lately used ones. */
export async function rememberModel(preferences: Preferences, selection: Selection): Promise<void> {
  const key = modelKey(selection)
  if (preferences.recentModels[0] === key) return
  const recentModels = [key, ...preferences.recentModels.filter((other) => other !== key)].slice(0, 5)
  await savePreferences({ recentModels })
}

/** Stars a model, or takes the star away. */
export async function toggleFavourite(preferences: Preferences, selection: Selection): Promise<void> {
  const key = modelKey(selection)
  const starred = preferences.favouriteModels.includes(key)
  const favouriteModels = starred
    ? preferences.favouriteModels.filter((other) => other !== key)
    : [...preferences.favouriteModels, key]
  await savePreferences({ favouriteModels })
}

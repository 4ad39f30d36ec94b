/** Which of many models are looked for. Pure. */
import type { Model } from '@atrium/contract/connections'
import type { ShownVisibility } from '@atrium/contract/local-runtime'
import { sortKeys, visibilityKey } from '../../../blocks/model-visibility/change.ts'
import { matchesQuery } from '../../../lib/match.ts'

export const states = ['all', 'shown', 'hidden', 'recommended', 'groups', 'unpriced'] as const
export type ModelState = (typeof states)[number]

export interface ModelFilter {
  readonly words: string
  /** The id of a connection; empty: the local runtime. */
  readonly provider: string
  readonly state: ModelState
}

/** The models that fit, in the order in which everybody sees them. */
export function filterModels(
  models: readonly Model[],
  visibility: ShownVisibility,
  { words, provider, state }: ModelFilter,
): Model[] {
  const isIn = stateTest(visibility)
  const byKey = new Map(models.map((model) => [visibilityKey(model.selection), model]))
  return sortKeys([...byKey.keys()], visibility)
    .flatMap((key) => byKey.get(key) ?? [])
    .filter(
      (model) =>
        (provider === 'all' || provider === (model.selection.providerId ?? '')) &&
        isIn(model, state) &&
        matchesQuery(
          words,
          model.name,
          model.selection.model,
          model.providerName,
          visibility.metadata[visibilityKey(model.selection)]?.label,
        ),
    )
}

/** How many models there are of each state. */
export function countStates(models: readonly Model[], visibility: ShownVisibility): Record<ModelState, number> {
  const isIn = stateTest(visibility)
  const count = (state: ModelState): number => models.filter((model) => isIn(model, state)).length
  return {
    all: models.length,
    shown: count('shown'),
    hidden: count('hidden'),
    recommended: count('recommended'),
    groups: count('groups'),
    unpriced: count('unpriced'),
  }
}

const stateTest = ({ hidden, starred, groups }: ShownVisibility) => {
  const hiddenKeys = new Set(hidden)
  const starredKeys = new Set(starred)
  return (model: Model, state: ModelState): boolean => {
    const key = visibilityKey(model.selection)
    switch (state) {
      case 'all':
        return true
      case 'shown':
        return !hiddenKeys.has(key)
      case 'hidden':
        return hiddenKeys.has(key)
      case 'recommended':
        return starredKeys.has(key)
      case 'groups':
        return Object.hasOwn(groups, key)
      case 'unpriced':
        return model.price === null && !model.local
    }
  }
}

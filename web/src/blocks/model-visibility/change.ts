/** How models are shown to everybody: pure changes of what is set. A model is named by its key, as the instance names it. */
import type { Selection } from '@atrium/contract/common'
import type { ShownVisibility } from '@atrium/contract/local-runtime'

export const asTheyCome: ShownVisibility = {
  hidden: [],
  order: [],
  starred: [],
  metadata: {},
  groups: {},
  defaultModel: null,
}

/** A model of the local runtime goes by its name, any other by its connection's and its own. */
export const visibilityKey = ({ providerId, model }: Selection): string =>
  providerId === null ? model : `${providerId}/${model}`

/** Keys as everybody sees their models: recommended ones first, then those with a place, then the rest as they come. */
export function sortKeys(keys: readonly string[], visibility: ShownVisibility): string[] {
  const starred = new Set(visibility.starred)
  const places = new Map(visibility.order.map((key, place) => [key, place]))
  const placeOf = (key: string) => (places.get(key) ?? places.size) - (starred.has(key) ? places.size + 1 : 0)
  return [...keys].sort((a, b) => placeOf(a) - placeOf(b))
}

/** Whether new chats start with a model where nobody chose one, as far as its key tells. */
export function isDefaultOf({ fixedDefault, defaultModel }: ShownVisibility, key: string): boolean {
  if (fixedDefault) return key === fixedDefault.model || key === `${fixedDefault.model}:latest`
  return defaultModel !== null && visibilityKey(defaultModel) === key
}

/** Puts a key on a list, or takes it off. */
export const toggleKey = (list: readonly string[], key: string): string[] =>
  list.includes(key) ? list.filter((other) => other !== key) : [...list, key]

/**
 * Moves a model one place up or down among those that stand with it (recommended ones never mix with the others);
 * null where it cannot go further. Models that are not in `keys` keep their places after these.
 */
export function moveModel(
  keys: readonly string[],
  visibility: ShownVisibility,
  key: string,
  by: 1 | -1,
): ShownVisibility | null {
  const sorted = sortKeys(keys, visibility)
  const from = sorted.indexOf(key)
  const other = sorted[from + by]
  if (from < 0 || other === undefined) return null
  if (visibility.starred.includes(key) !== visibility.starred.includes(other)) return null
  sorted[from] = other
  sorted[from + by] = key
  // What stands behind both stays as it comes.
  const placed = sorted.slice(0, Math.max(from, from + by) + 1)
  return { ...visibility, order: [...placed, ...visibility.order.filter((one) => !placed.includes(one))] }
}

/** Gives a model a name for people; an empty one takes it away. */
export function labelModel(visibility: ShownVisibility, key: string, label: string): ShownVisibility {
  const { [key]: _, ...others } = visibility.metadata
  return { ...visibility, metadata: label.trim() === '' ? others : { ...others, [key]: { label: label.trim() } } }
}

/** Keeps models for members of these groups; none: they are for everybody. */
export function setGroups(
  visibility: ShownVisibility,
  keys: readonly string[],
  groupIds: readonly string[],
): ShownVisibility {
  const others = Object.entries(visibility.groups).filter(([key]) => !keys.includes(key))
  const own = groupIds.length === 0 ? [] : keys.map((key): [string, string[]] => [key, [...groupIds]])
  return { ...visibility, groups: Object.fromEntries([...others, ...own]) }
}

/** Hides models from everybody but administrators, or shows them. */
export const setHidden = (visibility: ShownVisibility, keys: readonly string[], hidden: boolean): ShownVisibility => ({
  ...visibility,
  hidden: [...visibility.hidden.filter((key) => !keys.includes(key)), ...(hidden ? keys : [])],
})

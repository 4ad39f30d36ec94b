/** How models of the local runtime are shown to everybody: pure changes of what is set. */
import type { ModelVisibility, RuntimeModel } from '@atrium/contract/local-runtime'

/** The models as everybody sees them: recommended ones first, then those with a place, then the rest as they come. */
export function sortModels<M extends Pick<RuntimeModel, 'name'>>(
  models: readonly M[],
  visibility: ModelVisibility,
): M[] {
  const starred = new Set(visibility.starred)
  const places = new Map(visibility.order.map((name, place) => [name, place]))
  const placeOf = ({ name }: M) => (places.get(name) ?? places.size) - (starred.has(name) ? places.size + 1 : 0)
  return [...models].sort((a, b) => placeOf(a) - placeOf(b))
}

/** Puts a name on a list, or takes it off. */
export const toggleName = (list: readonly string[], name: string): string[] =>
  list.includes(name) ? list.filter((other) => other !== name) : [...list, name]

/**
 * Moves a model one place up or down among those that stand with it (recommended ones never mix with the others);
 * null where it cannot go further. Models of other providers keep their places after these.
 */
export function moveModel(
  models: readonly Pick<RuntimeModel, 'name'>[],
  visibility: ModelVisibility,
  name: string,
  by: 1 | -1,
): ModelVisibility | null {
  const names = sortModels(models, visibility).map((model) => model.name)
  const from = names.indexOf(name)
  const other = names[from + by]
  if (from < 0 || other === undefined) return null
  if (visibility.starred.includes(name) !== visibility.starred.includes(other)) return null
  names[from] = other
  names[from + by] = name
  return { ...visibility, order: [...names, ...visibility.order.filter((key) => !names.includes(key))] }
}

/** Gives a model a name for people; an empty one takes it away. */
export function labelModel(visibility: ModelVisibility, name: string, label: string): ModelVisibility {
  const { [name]: _, ...others } = visibility.metadata
  return { ...visibility, metadata: label.trim() === '' ? others : { ...others, [name]: { label: label.trim() } } }
}

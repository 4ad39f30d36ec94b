/**
 * What is made of a list of tools. The catalogue gives the same list, of thousands perhaps, as long as nothing of it
 * changes, so all of it is made once for each list.
 */
import { createCache } from '../../platform/cache/cache.ts'
import type { CatalogItem } from './catalogue.ts'
import { namesOf } from './rules.ts'

export const makeOnce = <T extends object>(make: (tools: readonly CatalogItem[]) => T) => {
  const known = new WeakMap<readonly CatalogItem[], T>()
  return (tools: readonly CatalogItem[]): T => {
    const made = known.get(tools) ?? make(tools)
    known.set(tools, made)
    return made
  }
}

/** Those that a model may be told of. */
export const usableOf = makeOnce((tools): readonly CatalogItem[] =>
  tools.filter(({ mode, isForAppAlone }) => mode !== 'never' && !isForAppAlone),
)

/** Where those stand that an id names, which may be the whole of a server. */
const placesOf = makeOnce((tools): ReadonlyMap<string, readonly number[]> => {
  const places = new Map<string, number[]>()
  for (const [at, tool] of tools.entries())
    for (const name of namesOf(tool)) {
      const known = places.get(name)
      if (known) known.push(at)
      else places.set(name, [at])
    }
  return places
})

/** Whether each of the ids names some of them. */
export const isNamed = (tools: readonly CatalogItem[], ids: readonly string[]): boolean =>
  ids.every((id) => placesOf(tools).has(id))

/** So many choices out of one list are kept: chats mostly go on with what they chose. */
const mostChoices = 50
const choicesOf = makeOnce(() => createCache<readonly CatalogItem[]>({ max: mostChoices }))

/** Those that the ids name, in their order; the same list for the same ids. */
export const pickByIds = (tools: readonly CatalogItem[], ids: readonly string[]): readonly CatalogItem[] => {
  const choices = choicesOf(tools)
  const key = JSON.stringify(ids)
  const known = choices.get(key)
  if (known) return known
  const places = placesOf(tools)
  const at = new Set(ids.flatMap((id) => places.get(id) ?? []))
  const chosen = [...at].toSorted((a, b) => a - b).flatMap((place) => tools[place] ?? [])
  choices.set(key, chosen)
  return chosen
}

/** Which tags some chats have, and are to have. Pure. */
import { cleanTag, foldTag } from '@atrium/contract/tag-name'

/** `some`: not all of the chats have it. */
export interface TagChoice {
  readonly name: string
  readonly on: boolean | 'some'
}

/** The tags of an account as chats have them, those of the chats first and new ones at their place, each once. */
export function choicesOf(all: readonly string[], chats: readonly (readonly string[])[]): TagChoice[] {
  const counts = new Map<string, number>()
  for (const tag of chats.flat()) counts.set(foldTag(tag), (counts.get(foldTag(tag)) ?? 0) + 1)
  const names = new Map([...chats.flat(), ...all].map((name) => [foldTag(name), name]))
  return [...names].map(([key, name]) => {
    const count = counts.get(key) ?? 0
    return { name, on: count === 0 ? false : count === chats.length || 'some' }
  })
}

/** The choices as they were changed since, those that are new in front. */
export function withChanges(choices: readonly TagChoice[], changes: readonly TagChoice[]): readonly TagChoice[] {
  const fresh = new Map(changes.map((change) => [foldTag(change.name), change]))
  const known = choices.map((choice) => {
    const change = fresh.get(foldTag(choice.name))
    fresh.delete(foldTag(choice.name))
    return change ? { ...choice, on: change.on } : choice
  })
  return [...fresh.values(), ...known]
}

/** The changes with some names chosen or not, those that are new in front. */
export function changeNames(changes: readonly TagChoice[], names: readonly string[], on: boolean): TagChoice[] {
  const fresh = new Map(names.map((name) => [foldTag(name), name]))
  const known = changes.map((change) => (fresh.delete(foldTag(change.name)) ? { ...change, on } : change))
  return [...[...fresh.values()].map((name) => ({ name, on })), ...known]
}

/** Names that are typed behind each other with commas. */
export const namesIn = (typed: string): string[] =>
  [...new Map(typed.split(/[,،\n]/).map((part) => [foldTag(part), cleanTag(part)])).values()].filter(Boolean)

/** What differs between what was and what is chosen. */
export function changesBetween(
  before: readonly TagChoice[],
  after: readonly TagChoice[],
): { add: string[]; remove: string[] } {
  const was = new Map(before.map(({ name, on }) => [foldTag(name), on]))
  const changed = after.filter(({ name, on }) => on !== (was.get(foldTag(name)) ?? false))
  return {
    add: changed.filter(({ on }) => on === true).map(({ name }) => name),
    remove: changed.filter(({ on }) => on === false).map(({ name }) => name),
  }
}

/** What differs between two definitions, in an order that can be read. */

/** One place: what stood there and what will; a list of plain values tells what comes and what goes. */
export type DefinitionChange =
  | { readonly kind: 'added' | 'removed'; readonly path: string; readonly value: string }
  | { readonly kind: 'changed'; readonly path: string; readonly before: string; readonly after: string }

/** Compares member by member; members of lists are told apart by their `name`, plain ones by their value. */
export function diffDefinitions(before: unknown, after: unknown, path = ''): DefinitionChange[] {
  if (Object.is(before, after)) return []
  if (before === undefined) return [{ kind: 'added', path, value: written(after) }]
  if (after === undefined) return [{ kind: 'removed', path, value: written(before) }]
  const [from, to] = [membersOf(before), membersOf(after)]
  if (!from || !to || Array.isArray(before) !== Array.isArray(after)) {
    return [{ kind: 'changed', path, before: written(before), after: written(after) }]
  }
  const names = [...new Set([...from.keys(), ...to.keys()])]
  return names.flatMap((name) => diffDefinitions(from.get(name), to.get(name), path ? `${path} › ${name}` : name))
}

function membersOf(value: unknown): Map<string, unknown> | null {
  if (typeof value !== 'object' || value === null) return null
  if (!Array.isArray(value)) return new Map(Object.entries(value))
  return new Map(value.map((member: unknown) => [nameOf(member), member]))
}

const nameOf = (member: unknown): string =>
  typeof member === 'object' && member !== null && 'name' in member ? String(member.name) : written(member)

const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** What a directory says of a group. Pure. */
import type { ScimGroupBody, ScimPatchBody } from '@atrium/contract/scim'
import { fail } from '../../platform/http/refusal.ts'
import { type ApplyAt, applyPatch } from './patch.ts'
import type { AttributePath, PatchOperation } from './path.ts'

export interface GroupState {
  readonly displayName: string
  readonly externalId: string | null
  /** Ids of accounts. */
  readonly members: ReadonlySet<string>
}

const longestName = 80

/** Refuses with `scim_value`. */
export const stateOfGroupBody = ({ displayName, externalId, members }: ScimGroupBody): GroupState =>
  checked({ displayName, externalId: externalId ?? null, members: new Set((members ?? []).map(memberId)) })

/** The group after some changes, in their order. Refuses with `scim_path`, `scim_no_target`, `scim_value`. */
export const patchGroup = (before: GroupState, patch: ScimPatchBody): GroupState =>
  checked(applyPatch(before, patch, applyAt))

const applyAt: ApplyAt<GroupState> = (state, path, op, value, strict) => {
  if (path.isForeign || ['schemas', 'id', 'meta'].includes(path.attribute)) return state
  switch (path.attribute) {
    case 'displayname':
      return { ...state, displayName: op === 'remove' ? '' : requireText(value) }
    case 'externalid':
      return { ...state, externalId: op === 'remove' || value === null ? null : requireText(value) }
    case 'members':
      return { ...state, members: applyMembers(state.members, path, op, value) }
    default:
      if (strict) throw fail('scim_path', `Unknown attribute ${path.attribute.slice(0, 100)}.`)
      return state
  }
}

const applyMembers = (
  before: ReadonlySet<string>,
  { filter }: AttributePath,
  op: PatchOperation,
  value: unknown,
): Set<string> => {
  const members = new Set(before)
  if (filter) {
    if (op !== 'remove' || filter.attribute !== 'value') throw fail('scim_path')
    members.delete(filter.value)
    return members
  }
  const given = (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]).map(memberId)
  if (op === 'replace') return new Set(given)
  if (op === 'add') return new Set([...members, ...given])
  // Without a value all go; one directory names those who go in it.
  if (value === undefined || value === null) return new Set()
  for (const id of given) members.delete(id)
  return members
}

const memberId = (given: unknown): string => {
  const value = typeof given === 'object' && given !== null ? (given as { value?: unknown }).value : given
  return requireText(value)
}

const requireText = (value: unknown): string => {
  if (typeof value === 'string' && value.trim() !== '' && value.length <= 1000 && !value.includes('\0'))
    return value.trim()
  throw fail('scim_value', 'Expected a string.')
}

const checked = (state: GroupState): GroupState => {
  if (state.displayName === '' || state.displayName.length > longestName)
    throw fail('scim_value', `Group names can have at most ${longestName} characters.`)
  return state
}

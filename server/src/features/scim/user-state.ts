/** What a directory says of an account: from its bodies and changes to what is kept here. Pure. */
import { Email, Username } from '@atrium/contract/accounts'
import type { ScimPatchBody, ScimUserBody } from '@atrium/contract/scim'
import { fail } from '../../platform/http/refusal.ts'
import { type ApplyAt, applyPatch, requireObject } from './patch.ts'
import type { AttributePath, PatchOperation } from './path.ts'

export interface UserState {
  readonly userName: string
  readonly externalId: string | null
  readonly displayName: string | null
  readonly email: string | null
  readonly active: boolean
  /** Kept as it was said, beside the display name. */
  readonly name: Readonly<Record<string, string>>
}

/** The whole of an account. `before`: what stays where nothing is said of it. Refuses with `scim_value`. */
export const stateOfBody = (body: ScimUserBody, before: Pick<UserState, 'active'>): UserState => {
  const name = readName(body.name ?? {})
  return checked({
    userName: body.userName,
    externalId: readText(body.externalId ?? null),
    displayName: readText(body.displayName ?? null) ?? displayOf(name),
    email: pickEmail(body.emails ?? []),
    active: body.active === undefined || body.active === null ? before.active : readFlag(body.active),
    name,
  })
}

/** The account after some changes, in their order. Refuses with `scim_path`, `scim_no_target`, `scim_value`. */
export const patchUser = (before: UserState, patch: ScimPatchBody): UserState =>
  checked(applyPatch(before, patch, applyAt))

/** Attributes of the standard that are not kept here: taken, and let go. */
const ignored: ReadonlySet<string> = new Set(
  [
    'schemas id meta password nickname profileurl title usertype preferredlanguage locale timezone phonenumbers ims',
    'photos addresses groups entitlements roles x509certificates',
  ].flatMap((line) => line.split(' ')),
)
const nameParts: ReadonlyMap<string, string> = new Map(
  ['formatted', 'familyName', 'givenName', 'middleName', 'honorificPrefix', 'honorificSuffix'].map((part) => [
    part.toLowerCase(),
    part,
  ]),
)

const applyAt: ApplyAt<UserState> = (state, path, op, value, strict) => {
  if (path.isForeign || ignored.has(path.attribute)) return state
  const given = op === 'remove' ? null : value
  switch (path.attribute) {
    case 'username':
      return { ...state, userName: readText(given) ?? '' }
    case 'externalid':
      return { ...state, externalId: readText(given) }
    case 'displayname':
      return { ...state, displayName: readText(given) }
    case 'active':
      return { ...state, active: readFlag(given) }
    case 'name':
      return { ...state, name: applyName(state.name, path.sub, op, given) }
    case 'emails':
      return { ...state, email: applyEmail(state.email, path, op, given) }
    default:
      if (strict) throw fail('scim_path', `Unknown attribute ${path.attribute.slice(0, 100)}.`)
      return state
  }
}

const applyName = (
  before: UserState['name'],
  sub: string | null,
  op: PatchOperation,
  given: unknown,
): UserState['name'] => {
  if (sub === null) return op === 'remove' ? {} : { ...before, ...readName(requireObject(given)) }
  const part = nameParts.get(sub)
  if (!part) throw fail('scim_path', `Unknown name attribute ${sub.slice(0, 100)}.`)
  const { [part]: _, ...others } = before
  const text = readText(given)
  return text === null ? others : { ...others, [part]: text }
}

/** One address is kept: the one for work, or the first. Changes of others are let go. */
const applyEmail = (
  before: string | null,
  { filter, sub }: AttributePath,
  op: PatchOperation,
  given: unknown,
): string | null => {
  const isOther = filter?.attribute === 'type' && filter.value.toLowerCase() !== 'work'
  if (isOther || (filter?.attribute === 'primary' && filter.value !== 'true')) return before
  if (filter?.attribute === 'value' && filter.value.toLowerCase() !== before?.toLowerCase()) return before
  if (sub !== null && sub !== 'value') return before
  if (op === 'remove') return null
  if (typeof given === 'string') return given
  const list = Array.isArray(given) ? given : [given]
  if (op === 'add' && before !== null && list.every((each) => !isMain(each))) return before
  return pickEmail(list) ?? before
}

const isMain = (given: unknown): boolean => {
  const { primary, type } = requireObject(given)
  return primary === true || type === 'work'
}

const pickEmail = (emails: readonly unknown[]): string | null => {
  const list = emails.map((each) => requireObject(typeof each === 'string' ? { value: each } : each))
  const found =
    list.find(({ primary }) => primary === true || primary === 'true') ??
    list.find(({ type }) => type === 'work') ??
    list[0]
  return readText(found?.['value'] ?? null)
}

const readName = (given: Readonly<Record<string, unknown>>): Record<string, string> => {
  const name: Record<string, string> = {}
  for (const [key, value] of Object.entries(given)) {
    const part = nameParts.get(key.toLowerCase())
    const text = part ? readText(value) : null
    if (part && text !== null) name[part] = text
  }
  return name
}

const displayOf = ({ formatted, givenName, familyName }: UserState['name']): string | null =>
  formatted ?? ([givenName, familyName].filter((part) => part !== undefined).join(' ') || null)

const longest = 1000
const readText = (value: unknown): string | null => {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'string' && value.length <= longest && !value.includes('\0')) return value.trim() || null
  throw fail('scim_value', 'Expected a string.')
}

/** One directory sends `"False"` where it means false. */
const readFlag = (value: unknown): boolean => {
  if (typeof value === 'boolean') return value
  const word = typeof value === 'string' ? value.toLowerCase() : ''
  if (word === 'true' || word === 'false') return word === 'true'
  throw fail('scim_value', '`active` must be true or false.')
}

const checked = (state: UserState): UserState => {
  const userName = Username.safeParse(state.userName)
  if (!userName.success)
    throw fail('scim_value', 'User names can have up to 64 letters, digits, dots, underscores, @ and hyphens.')
  if (state.email !== null && !Email.safeParse(state.email).success)
    throw fail('scim_value', 'This isn’t a valid e-mail address.')
  return { ...state, userName: userName.data, displayName: state.displayName?.slice(0, 120) ?? null }
}

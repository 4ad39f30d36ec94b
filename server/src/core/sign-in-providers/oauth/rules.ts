/** Decisions about what a provider says of somebody. Pure. */
import { Email, type SessionKind } from '@atrium/contract/accounts'
import type { ExternalProvider, IdentityProvider } from '@atrium/contract/sign-in-providers'

/** A provider with all that it takes to use it. */
export type OAuthProvider = Omit<IdentityProvider, 'hasSecret' | 'callbackUrl' | 'logoutUrl' | 'accounts' | 'kind'> & {
  readonly kind: ExternalProvider['kind']
  readonly clientSecret: string | null
  /** Where the environment says so; otherwise it follows from the address of the instance. */
  readonly callbackUrl: string | null
}

export interface ProviderClaim {
  /** `ID token`, `userinfo`, … */
  readonly source: string
  readonly name: string
  readonly value: unknown
}

/** Who somebody is there. */
export interface ProviderProfile {
  readonly issuer: string
  readonly subject: string
  /** What the account could be called, best first. */
  readonly names: readonly string[]
  readonly email: string | null
  readonly emailVerified: boolean
  /** null: nobody asks this provider for groups. What it leaves out, or says in a form that nobody knows, is none. */
  readonly groups: readonly string[] | null
  readonly sid: string | null
  readonly idToken: string | null
  readonly claims: readonly ProviderClaim[]
}

export const publicOf = ({ id, name, kind }: OAuthProvider): ExternalProvider => ({ id, name, kind })

export const sessionKindOf = (kind: OAuthProvider['kind']): SessionKind => (kind === 'oidc' ? 'oidc' : `oauth:${kind}`)

/** An address of this app that may be gone to afterwards; anything else is the start page. */
export const safeNext = (next: string | undefined): string =>
  next !== undefined && /^\/(?![/\\])[^\p{Cc}\\]*$/u.test(next) ? next : '/'

/** The claims of an OpenID provider, those of the ID token over those of its userinfo. */
export const profileOf = (
  provider: Pick<OAuthProvider, 'groupClaim' | 'trustsEmail'>,
  issuer: string,
  told: {
    readonly idToken: Readonly<Record<string, unknown>>
    readonly userInfo: Readonly<Record<string, unknown>>
    readonly raw: string
  },
): ProviderProfile => {
  const all: Record<string, unknown> = { ...told.userInfo, ...told.idToken }
  const text = (name: string) => (typeof all[name] === 'string' && all[name] !== '' ? (all[name] as string) : null)
  const email = Email.safeParse(text('email')).data ?? null
  const said = all['email_verified']
  return {
    issuer,
    subject: String(told.idToken['sub']),
    names: [text('preferred_username'), text('nickname'), email, text('name')].filter((name) => name !== null),
    email,
    // Some send the word instead of the truth value. One that says no is believed, whatever an administrator trusts.
    emailVerified: said === true || said === 'true' || (said === undefined && provider.trustsEmail),
    groups: provider.groupClaim === null ? null : groupsOf(all, provider.groupClaim),
    sid: text('sid'),
    idToken: told.raw,
    claims: [...claimsOf('ID token', told.idToken), ...claimsOf('userinfo', told.userInfo)],
  }
}

export const claimsOf = (source: string, claims: Readonly<Record<string, unknown>>): ProviderClaim[] =>
  Object.entries(claims).map(([name, value]) => ({ source, name, value }))

const maxGroups = 1000

/**
 * The groups of a claim: a list of names, one name, or many in one text. Whatever else is there, or that nothing is, is
 * no group: providers leave the claim out for people who are in none, and what was given by it has to end with it.
 */
export const groupsOf = (claims: Readonly<Record<string, unknown>>, path: string): string[] => {
  // A claim may have dots in its own name, as those that are addresses do.
  let value: unknown = Object.hasOwn(claims, path) ? claims[path] : claims
  if (!Object.hasOwn(claims, path)) {
    for (const name of path.split('.')) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return []
      value = (value as Record<string, unknown>)[name]
    }
  }
  const list = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : []
  const names = list.filter((name) => typeof name === 'string').map((name) => name.trim())
  return [...new Set(names.filter((name) => name !== '' && name.length <= 200))].slice(0, maxGroups)
}

/** Whether somebody of this address may come in. A list asks for a verified address. */
export const isDomainAllowed = (
  allowed: readonly string[],
  profile: Pick<ProviderProfile, 'email' | 'emailVerified'>,
): boolean => {
  if (allowed.length === 0) return true
  if (profile.email === null || !profile.emailVerified) return false
  const domain = profile.email.slice(profile.email.lastIndexOf('@') + 1).toLowerCase()
  return allowed.includes(domain)
}

/** The role that the groups ask for; null where roles are left alone: no group is named here, or none is asked for. */
export const roleOf = (
  { adminGroups }: Pick<OAuthProvider, 'adminGroups'>,
  groups: readonly string[] | null,
): 'admin' | 'user' | null => {
  if (adminGroups.length === 0 || groups === null) return null
  return groups.some((group) => adminGroups.includes(group)) ? 'admin' : 'user'
}

/** What a new account is called: the first name of these that makes a user name. */
export const usernameOf = (names: readonly string[], fallback: string): string => {
  for (const name of names) {
    // What is before the @, as a name that looks like somebody's address could stand in their way.
    const plain = (name.split('@')[0] ?? '')
      .normalize('NFKC')
      .trim()
      .replace(/\s+/gu, '.')
      .replace(/[^\p{L}\p{N}._-]/gu, '')
      .replace(/^[._-]+/u, '')
      .slice(0, 56)
      .replace(/[._-]+$/u, '')
    if (plain !== '') return plain
  }
  return fallback
}

/** A claim as it is shown to administrators: tokens and the like are cut, control signs taken out. */
export const shownClaim = ({ source, name, value }: ProviderClaim): { source: string; name: string; value: string } => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  const secret = /token|secret|password|_hash$|^nonce$/i.test(name)
  return {
    source,
    name: clean(name, 200),
    value: secret ? '•••' : clean(text, 2000),
  }
}

const clean = (text: string, most: number): string => {
  const plain = text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').toWellFormed()
  return plain.length > most ? `${plain.slice(0, most - 1)}…` : plain
}

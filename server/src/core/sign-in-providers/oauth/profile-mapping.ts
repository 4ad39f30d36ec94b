/** Maps a provider's profile to an account, before anything is changed: the same for a sign-in and for a trial. */
import type { User } from '@atrium/contract/accounts'
import type { ExternalReason, Trial } from '@atrium/contract/sign-in-providers'
import type { SignInProvidersDeps } from '../context.ts'
import type { IdentityStore, LinkedIdentity } from './identity-store.ts'
import { type ProviderProfile, type OAuthProvider, isDomainAllowed, roleOf, usernameOf } from './rules.ts'

export interface SignInDecision {
  readonly known: LinkedIdentity | null
  /** The linked account; without a link the one that has the same verified address. */
  readonly account: User | null
  readonly refusal: { readonly reason: ExternalReason; readonly detail: string } | null
  /** What a new account would be called. */
  readonly username: string
  /** What the groups ask for; null: the role is left alone. */
  readonly role: User['role'] | null
  /** The groups here that the provider names; null: memberships are left alone. */
  readonly groupIds: readonly string[] | null
  readonly groups: NonNullable<Trial['mapping']>['groups']
}

export type DecideSignIn = (provider: OAuthProvider, profile: ProviderProfile) => Promise<SignInDecision>

/** How memberships say that they follow a provider. */
export const sourceOf = ({ id }: Pick<OAuthProvider, 'id'>): string => `oidc:${id}`

/** Claimed groups are looked up one by one, so not without end. */
const mostLookups = 200

export const createProfileMapping = (deps: {
  accounts: { readonly store: Pick<SignInProvidersDeps['accounts']['store'], 'user' | 'hasAccounts' | 'emailOwner'> }
  identities: IdentityStore
  groups: Pick<SignInProvidersDeps['groups'], 'findByName' | 'find' | 'sources'>
}): DecideSignIn => {
  const { identities, groups } = deps
  const { store } = deps.accounts

  const plan = async (provider: OAuthProvider, claimed: readonly string[] | null, accountId: string | null) => {
    const nothing = { claimed: [...(claimed ?? [])], joins: [], leaves: [], unknown: [] }
    if (!provider.syncGroups || claimed === null) return { groupIds: null, groups: nothing }
    const found: { id: string; name: string }[] = []
    const unknown: string[] = []
    for (const name of claimed.slice(0, mostLookups)) {
      const group = await groups.findByName(name)
      if (group) found.push(group)
      else unknown.push(name)
    }
    const before = accountId === null ? [] : await groups.sources.groupIds(accountId, sourceOf(provider))
    const ids = new Set(found.map(({ id }) => id))
    const gone = await Promise.all(before.filter((id) => !ids.has(id)).map((id) => groups.find(id)))
    return {
      groupIds: [...ids],
      groups: {
        claimed: [...claimed],
        joins: found.filter(({ id }) => !before.includes(id)).map(({ name }) => name),
        leaves: gone.flatMap((group) => (group ? [group.name] : [])),
        unknown,
      },
    }
  }

  return async (provider, profile) => {
    const known = await identities.find(provider.id, profile)
    const clash =
      known || profile.email === null || !profile.emailVerified ? null : await store.emailOwner(profile.email)
    const account = known ? await store.user(known.accountId) : clash === null ? null : await store.user(clash)
    const hasAccounts = await store.hasAccounts()
    return {
      known,
      account,
      refusal: refusalOf(provider, profile, { isKnown: known !== null, account, hasAccounts }),
      username: usernameOf(profile.names, provider.id),
      role: roleOf(provider, profile.groups),
      ...(await plan(provider, profile.groups, known?.accountId ?? null)),
    }
  }
}

const refusalOf = (
  provider: OAuthProvider,
  profile: ProviderProfile,
  { isKnown, account, hasAccounts }: { isKnown: boolean; account: User | null; hasAccounts: boolean },
): SignInDecision['refusal'] => {
  if (!isDomainAllowed(provider.allowedDomains, profile)) {
    const why =
      profile.email === null
        ? 'the provider didn’t send an e-mail address'
        : profile.emailVerified
          ? `this address doesn’t end in ${provider.allowedDomains.map((domain) => `@${domain}`).join(', ')}`
          : 'the provider didn’t confirm that the address is verified'
    return { reason: 'email-domain-denied', detail: `Only some e-mail domains can sign in, and ${why}.` }
  }
  if (isKnown) {
    if (account?.status === 'disabled') return { reason: 'account-disabled', detail: 'The linked account is disabled.' }
    if (account?.status === 'pending')
      return { reason: 'account-pending', detail: 'The linked account is waiting for approval.' }
    if (!account) return { reason: 'account-disabled', detail: 'The linked account is being deleted.' }
    return null
  }
  if (!hasAccounts)
    return { reason: 'first-account-local', detail: 'The first account must be created on this server.' }
  if (account)
    return {
      reason: 'email-in-use',
      detail: 'An account with this e-mail address already exists. Its owner can sign in to it and link the two.',
    }
  if (provider.signUp === 'off')
    return { reason: 'registration-disabled', detail: 'No account is linked, and sign-up with this provider is off.' }
  return null
}

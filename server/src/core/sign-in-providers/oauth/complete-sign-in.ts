/** Completes a sign-in with a provider: finds or creates the account, and sets its role and groups as the provider says. */
import type { User } from '@atrium/contract/accounts'
import type { Audit, AuditEntry } from '../../../platform/audit/types.ts'
import type { Clock } from '../../../platform/clock.ts'
import { isRefusal } from '../../../platform/http/refusal.ts'
import type { OpenVault } from '../../../platform/vault/vault.ts'
import { nameTries, noPassword, systemActor } from '../../accounts/index.ts'
import type { SignInProvidersDeps } from '../context.ts'
import { OAuthFailure } from './failure.ts'
import type { IdentityStore, LinkedIdentity } from './identity-store.ts'
import { type SignInDecision, sourceOf } from './profile-mapping.ts'
import type { ProviderProfile, OAuthProvider } from './rules.ts'

/** From where somebody came: what the audit wants to know. */
export type RequestOrigin = Pick<AuditEntry, 'requestId' | 'address'>

export interface SignInCompletion {
  /** The account that may sign in now. Throws OAuthFailure; `account-pending` for a new one that waits. */
  signIn(
    provider: OAuthProvider,
    profile: ProviderProfile,
    decision: SignInDecision,
    from: RequestOrigin,
  ): Promise<User>
  /** Links with an account. Refuses with `identity_linked`. */
  link(
    accountId: string,
    provider: OAuthProvider,
    profile: Parameters<IdentityStore['link']>[0]['subject'],
    from: RequestOrigin,
  ): Promise<string>
}

export const createSignInCompletion = (deps: {
  accounts: Pick<SignInProvidersDeps['accounts'], 'store' | 'syncRole' | 'publishRevocation'>
  identities: IdentityStore
  groups: Pick<SignInProvidersDeps['groups'], 'setGroups'>
  vault: OpenVault
  audit: Audit
  clock: Clock
}): SignInCompletion => {
  const { accounts, identities, groups, vault, audit, clock } = deps
  const { store } = accounts
  const actor = (accountId: string) => ({ kind: 'user', accountId }) as const

  const create = async (
    provider: OAuthProvider,
    profile: ProviderProfile,
    username: string,
    from: RequestOrigin,
  ): Promise<LinkedIdentity> => {
    const email = profile.emailVerified ? profile.email : null
    for (const name of nameTries(username)) {
      const id = clock.id()
      const identityId = clock.id()
      const now = clock.now()
      const write = await identities.link(
        { id: identityId, accountId: id, providerId: provider.id, subject: profile },
        now,
      )
      try {
        await store.insert(
          { id, username: name, email, credential: noPassword, now, emailVerified: email !== null },
          (isFirst) => {
            if (isFirst)
              throw new OAuthFailure('first-account-local', 'The first account must be created on this server.')
            return { role: 'user', status: provider.signUp === 'active' ? 'active' : 'pending' }
          },
          write,
        )
      } catch (error) {
        await vault.removeKeys(id)
        if (isRefusal(error) && error.code === 'username_taken') continue
        if (isRefusal(error) && error.code === 'email_taken')
          throw new OAuthFailure('email-in-use', 'An account with this e-mail address already exists.', error)
        throw error
      }
      await audit.record({
        ...from,
        action: 'auth.signup',
        actor: actor(id),
        target: { type: 'account', id },
        details: { provider: provider.id },
      })
      return {
        id: identityId,
        accountId: id,
        providerId: provider.id,
        label: '',
        idToken: null,
        createdAt: now,
        lastUsedAt: null,
      }
    }
    throw new OAuthFailure('account-create-failed', 'All suitable user names are taken.')
  }

  const followGroups = async (
    accountId: string,
    provider: OAuthProvider,
    ids: readonly string[],
    from: RequestOrigin,
  ) => {
    const { added, removed } = await groups.setGroups(accountId, sourceOf(provider), ids)
    if (added.length + removed.length === 0) return
    await audit.record({
      ...from,
      action: 'auth.identity.sync',
      actor: { kind: 'system', accountId: null },
      target: { type: 'account', id: accountId },
      details: { provider: provider.id, groupsAdded: [...added], groupsRemoved: [...removed] },
    })
    await accounts.publishRevocation(accountId, [])
  }

  return {
    async signIn(provider, profile, decision, from) {
      if (decision.refusal) throw new OAuthFailure(decision.refusal.reason, decision.refusal.detail)
      const identity = decision.known ?? (await create(provider, profile, decision.username, from))
      const { accountId } = identity
      await identities.used(identity, profile, clock.now())
      if (decision.role)
        await accounts.syncRole(accountId, decision.role, { provider: provider.id }, { ...from, ...systemActor })
      if (decision.groupIds) await followGroups(accountId, provider, decision.groupIds, from)
      const user = await store.user(accountId)
      if (!user) throw new OAuthFailure('account-disabled', 'The linked account is being deleted.')
      if (user.status === 'pending') throw new OAuthFailure('account-pending', 'The account is waiting for approval.')
      return user
    },

    async link(accountId, provider, subject, from) {
      const id = clock.id()
      const write = await identities.link({ id, accountId, providerId: provider.id, subject }, clock.now())
      await identities.write(async (trx) => {
        await write(trx)
        await audit.recordIn(trx, {
          ...from,
          action: 'auth.identity.link',
          actor: actor(accountId),
          target: { type: 'identity', id },
          details: { provider: provider.id },
        })
      })
      return id
    },
  }
}

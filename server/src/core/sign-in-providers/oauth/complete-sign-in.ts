/** What follows from a sign-in elsewhere: an account is found or made, and its role and groups follow the provider. */
import type { User } from '@atrium/contract/authentication'
import type { Audit, AuditEntry } from '../../../platform/audit/types.ts'
import type { Clock } from '../../../platform/clock.ts'
import { isRefusal } from '../../../platform/http/refusal.ts'
import type { OpenVault } from '../../../platform/vault/vault.ts'
import type { Groups } from '../../groups/groups.ts'
import { noPassword } from '../../accounts/password/hashing.ts'
import { nameTries } from '../../accounts/rules.ts'
import type { RoleFollower } from '../../accounts/people/sync-role.ts'
import { system } from '../../accounts/people/roles.ts'
import type { AccountStore } from '../../accounts/people/store.ts'
import type { Endings } from '../../accounts/sessions/revocations.ts'
import { ExternalFailure } from './failure.ts'
import type { Identities, KnownIdentity } from './identities.ts'
import { type Judgement, sourceOf } from './profile-mapping.ts'
import type { Profile, Provider } from './rules.ts'

/** From where somebody came: what the audit wants to know. */
export type From = Pick<AuditEntry, 'requestId' | 'address'>

export interface Settle {
  /** The account that may sign in now. Throws ExternalFailure; `account-pending` for a new one that waits. */
  signIn(provider: Provider, profile: Profile, judged: Judgement, from: From): Promise<User>
  /** Links with an account. Refuses with `identity_linked`. */
  link(
    accountId: string,
    provider: Provider,
    profile: Parameters<Identities['link']>[0]['subject'],
    from: From,
  ): Promise<string>
}

export const createSettle = (deps: {
  store: AccountStore
  followRole: RoleFollower
  identities: Identities
  groups: Groups
  endings: Endings
  vault: OpenVault
  audit: Audit
  clock: Clock
}): Settle => {
  const { store, followRole, identities, groups, endings, vault, audit, clock } = deps
  const actor = (accountId: string) => ({ kind: 'user', accountId }) as const

  const create = async (provider: Provider, profile: Profile, username: string, from: From): Promise<KnownIdentity> => {
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
            if (isFirst) throw new ExternalFailure('first-account-local', 'The first account is made on this server.')
            return { role: 'user', status: provider.signUp === 'active' ? 'active' : 'pending' }
          },
          write,
        )
      } catch (error) {
        await vault.removeAccount(id)
        if (isRefusal(error) && error.code === 'username_taken') continue
        if (isRefusal(error) && error.code === 'email_taken')
          throw new ExternalFailure('email-in-use', 'An account has this address.', error)
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
    throw new ExternalFailure('account-create-failed', 'Every name that would do is taken.')
  }

  const followGroups = async (accountId: string, provider: Provider, ids: readonly string[], from: From) => {
    const { added, removed } = await groups.setGroups(accountId, sourceOf(provider), ids)
    if (added.length + removed.length === 0) return
    await audit.record({
      ...from,
      action: 'auth.identity.sync',
      actor: { kind: 'system', accountId: null },
      target: { type: 'account', id: accountId },
      details: { provider: provider.id, groupsAdded: [...added], groupsRemoved: [...removed] },
    })
    await endings.tell(accountId, [])
  }

  return {
    async signIn(provider, profile, judged, from) {
      if (judged.refusal) throw new ExternalFailure(judged.refusal.reason, judged.refusal.detail)
      const identity = judged.known ?? (await create(provider, profile, judged.username, from))
      const { accountId } = identity
      await identities.used(identity, profile, clock.now())
      if (judged.role) await followRole(accountId, judged.role, { provider: provider.id }, { ...from, ...system })
      if (judged.groupIds) await followGroups(accountId, provider, judged.groupIds, from)
      const user = await store.user(accountId)
      if (!user) throw new ExternalFailure('account-disabled', 'The linked account is being deleted.')
      if (user.status === 'pending') throw new ExternalFailure('account-pending', 'The account waits for approval.')
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

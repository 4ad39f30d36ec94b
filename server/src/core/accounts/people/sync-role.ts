/**
 * The role of an account as a sign-in provider or a directory tells it, at each sign-in. A role that is taken away ends
 * the sessions that had it. The last administrator keeps it, and so does the last one who can sign in with a password
 * kept here: otherwise a slip at the provider would leave nobody who could mend it.
 */
import type { User } from '@atrium/contract/accounts'
import type { Audit, AuditEntry } from '../../../platform/audit/index.ts'
import type { Clock } from '../../../platform/clock.ts'
import { isRefusal } from '../../../platform/http/refusal.ts'
import type { Revocations } from '../sessions/revocations.ts'
import type { AuditActor } from '../audit-actor.ts'
import type { AccountRoles } from './role-store.ts'
import type { AccountStore } from './store.ts'

/**
 * Gives whether the role is another one now. `teller`: who tells it, as details of the audit: `{ provider: 'corp' }`,
 * `{ source: 'ldap' }`. A role that was kept against the teller is an entry of its own, `denied`.
 */
export type SyncRole = (
  accountId: string,
  role: User['role'],
  teller: NonNullable<AuditEntry['details']>,
  who: AuditActor,
) => Promise<boolean>

export const createRoleSync = (deps: {
  store: Pick<AccountStore, 'localAdministrators'>
  roles: Pick<AccountRoles, 'setRole' | 'loseRole'>
  openCredentials: (accountId: string) => Promise<readonly string[]>
  revocations: Pick<Revocations, 'publish'>
  audit: Audit
  clock: Clock
}): SyncRole => {
  const { store, roles, revocations, audit, clock } = deps
  return async (accountId, role, teller, who) => {
    if (role === 'admin') {
      if (!(await roles.setRole(accountId, role, clock.now(), who))) return false
      await revocations.publish(accountId, [])
      return true
    }
    // What is open hangs on sessions that are over a moment later.
    const openCredentials = await deps.openCredentials(accountId)
    try {
      if (!(await roles.loseRole(accountId, await store.localAdministrators(), clock.now(), who))) return false
    } catch (error) {
      if (!isRefusal(error) || error.code !== 'last_administrator') throw error
      await audit.record({
        ...who,
        action: 'auth.identity.sync',
        result: 'denied',
        target: { type: 'account', id: accountId },
        details: { ...teller, reason: 'last-administrator' },
      })
      return false
    }
    await revocations.publish(accountId, openCredentials)
    return true
  }
}

/**
 * The end of an account, in two steps. `begin` is one transaction after which nobody gets in, nobody sees the account,
 * and its names are free. `finish` takes away everything that it had; it may be run again from the start, as often as
 * it was interrupted, also in another process.
 */
import type { OpenVault } from '../../../platform/vault/vault.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Revocations } from '../sessions/revocations.ts'
import type { AuditActor } from '../audit-actor.ts'
import type { AccountRoles } from './role-store.ts'

/**
 * Called with the id of an account that is being removed, while its row and its data key are still there: whatever
 * belongs to it goes. It may be called again, after it was interrupted.
 */
export type RemovalHook = (accountId: string) => Promise<void>

export interface AccountRemovals {
  /** Refuses with `user_not_found` (also an account that is not `only`), `last_administrator`. */
  begin(accountId: string, who: AuditActor, only?: 'pending'): Promise<void>
  /** Does nothing to an account whose removal has not begun. */
  finish(accountId: string): Promise<void>
  /** Whose removal has begun and is not finished. */
  begun(): Promise<string[]>
  /** Whose day has come. */
  due(): Promise<string[]>
}

export const createAccountRemovals = (deps: {
  vault: OpenVault
  clock: Clock
  revocations: Revocations
  roles: AccountRoles
  /** What the open streams of an account depend on. */
  openCredentials: (accountId: string) => Promise<readonly string[]>
  removed: ReadonlySet<RemovalHook>
}): AccountRemovals => {
  const { vault, clock, revocations, roles, removed } = deps

  return {
    async begin(accountId, who, only) {
      const openCredentials = await deps.openCredentials(accountId)
      await roles.beginRemoval(accountId, clock.now(), who, only)
      await revocations.publish(accountId, openCredentials)
    },

    async finish(accountId) {
      if (await roles.isKept(accountId)) return
      // The row stays until the end: as long as it is there, it is known that there is more to do.
      for (const hook of removed) await hook(accountId)
      await vault.removeKeys(accountId)
      await roles.drop(accountId)
      // A hook that was just sealing something may have made a key anew.
      await vault.removeKeys(accountId)
      await revocations.publish(accountId, [])
    },

    begun: roles.removing,
    due: () => roles.due(clock.now()),
  }
}

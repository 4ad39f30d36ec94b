/** Refuses to remove an account's last sign-in method. Asked within the transaction that removes one. */
import type { AnyTransaction } from '../../../platform/db/types.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { AccountExtensions } from '../extensions.ts'
import type { PasskeyStore } from '../passkeys/store.ts'
import type { AccountStore } from './store.ts'

/**
 * Looks at the password before the transaction: one that is there does not go away, only changes. What it gives refuses
 * with `last_way_in` where no method is left.
 */
export type RequireRemainingMethod = (accountId: string) => Promise<(trx: AnyTransaction) => Promise<void>>

export const createRequireRemainingMethod = (deps: {
  store: Pick<AccountStore, 'hasOwnPassword'>
  passkeyStore: Pick<PasskeyStore, 'hasUsable'>
  extensions: Pick<AccountExtensions, 'isLinked'>
}): RequireRemainingMethod => {
  const { store, passkeyStore, extensions } = deps
  return async (accountId) => {
    if (await store.hasOwnPassword(accountId)) return async () => undefined
    return async (trx) => {
      if (await passkeyStore.hasUsable(trx, accountId)) return
      if (!(await extensions.isLinked(trx, accountId))) throw fail('last_way_in')
    }
  }
}

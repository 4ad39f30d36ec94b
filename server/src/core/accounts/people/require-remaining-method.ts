/** What is left to come in with when something of it goes. Asked within the transaction that takes it away. */
import { type AnyTransaction, over } from '../../../platform/db/types.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { OAuthTables } from '../../sign-in-providers/oauth/tables.ts'
import { noPassword } from '../password/hashing.ts'
import type { AccountTables } from '../tables.ts'
import type { AccountStore } from './store.ts'

/** Refuses with `last_way_in` where nothing is left. */
export type RequireRemainingMethod = (trx: AnyTransaction) => Promise<void>

/** Looks at the password before the transaction: one that is there does not go away, only changes. */
export const requireRemainingMethod = async (
  store: Pick<AccountStore, 'credential'>,
  accountId: string,
): Promise<RequireRemainingMethod> => {
  const credential = await store.credential(accountId)
  if (credential !== null && credential !== noPassword) return async () => undefined
  return async (any) => {
    const trx = over<AccountTables & OAuthTables>(any)
    const passkey = await trx
      .selectFrom('passkeys')
      .select('id')
      .where('account_id', '=', accountId)
      .where('suspect_at', 'is', null)
      .executeTakeFirst()
    if (passkey) return
    const identity = await trx
      .selectFrom('identities')
      .select('id')
      .where('account_id', '=', accountId)
      .executeTakeFirst()
    if (identity) return
    const directory = await trx
      .selectFrom('account_directory_ids')
      .select('source')
      .where('account_id', '=', accountId)
      .where('source', '=', 'ldap')
      .executeTakeFirst()
    if (!directory) throw fail('last_way_in')
  }
}

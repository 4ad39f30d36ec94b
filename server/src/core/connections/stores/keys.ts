/** Every SQL statement about keys. */
import { type AnyTransaction, inTables } from '../../../platform/db/types.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import { idOf, type OwnRow } from './rows.ts'
import type { StoreContext } from './context.ts'
import type { ConnectionTables, CredentialRow } from '../tables.ts'
import type { InstalledDefinition } from '../types.ts'

export const createKeyStore = ({ database, vault, clock, tables }: StoreContext) => ({
  async saveKey(accountId: string, { definition, fingerprint }: InstalledDefinition, key: string): Promise<void> {
    const keyring = await vault.keyring(accountId)
    const now = clock.now()
    const own = { account_id: accountId, connection_id: definition.id }
    await database.write<ConnectionTables, void>((trx) => insertKey(trx, keyring, own, key, fingerprint, now))
  },

  async removeKey(accountId: string, id: string): Promise<void> {
    await tables()
      .deleteFrom('connection_credentials')
      .where('account_id', '=', accountId)
      .where('connection_id', '=', id)
      .execute()
  },

  /** Which keys an account has stored, and since when (milliseconds); their values stay sealed. */
  keysOf: (accountId: string) =>
    tables()
      .selectFrom('connection_credentials')
      .select(['connection_id as id', 'saved_at as savedAt'])
      .where('account_id', '=', accountId)
      .orderBy('connection_id')
      .execute(),
})

export const openKey = (keyring: Keyring, row: CredentialRow): string =>
  keyring.open('connection_credentials.secret', idOf(row), row.secret)

export async function insertKey(
  trx: AnyTransaction,
  keyring: Keyring,
  own: OwnRow,
  key: string,
  route: string,
  now: number,
): Promise<void> {
  const secret = keyring.seal('connection_credentials.secret', idOf(own), key)
  await inTables<ConnectionTables>(trx)
    .insertInto('connection_credentials')
    .values({ ...own, secret, route, saved_at: now })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'connection_id']).doUpdateSet({ secret, route, saved_at: now }),
    )
    .execute()
}

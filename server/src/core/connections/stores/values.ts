/** Every SQL statement about values of variables: an account's own, and the instance's. */
import type { AnyTransaction } from '../../../platform/db/types.ts'
import { clearOldCatalogues } from './catalogues.ts'
import { idOf, instanceValuesJson, ownValuesJson } from './rows.ts'
import type { StoreContext } from './context.ts'
import type { ConnectionTables } from '../tables.ts'
import type { StoredValues } from '../types.ts'

export const createValueStore = ({ database, vault, clock, tables, readInstalled }: StoreContext) => ({
  /** One transaction for rows of others that have to change together. */
  inOneStep: (work: (trx: AnyTransaction) => Promise<void>): Promise<void> =>
    database.write<ConnectionTables, void>(work),

  /** Puts the account's own values in the place of what it had; none at all removes the row. */
  async saveOwnValues(accountId: string, id: string, values: StoredValues): Promise<void> {
    if (Object.keys(values).length === 0) {
      await tables()
        .deleteFrom('connection_values')
        .where('account_id', '=', accountId)
        .where('connection_id', '=', id)
        .execute()
      return
    }
    const own = { account_id: accountId, connection_id: id }
    const keyring = await vault.keyring(accountId)
    const saved = {
      document: ownValuesJson.seal(keyring, idOf(own), values),
      updated_at: clock.now(),
    }
    await tables()
      .insertInto('connection_values')
      .values({ ...own, ...saved })
      .onConflict((conflict) => conflict.columns(['account_id', 'connection_id']).doUpdateSet(saved))
      .execute()
  },

  /** Puts the instance's values in place, clears catalogues of a route that was left, and does `also` with it. */
  async saveInstanceValues(
    id: string,
    values: StoredValues,
    also?: (trx: AnyTransaction) => Promise<void>,
  ): Promise<void> {
    const instance = await vault.keyring(null)
    const saved = {
      document: instanceValuesJson.seal(instance, id, values),
      updated_at: clock.now(),
    }
    await database.write<ConnectionTables, void>(async (trx) => {
      if (Object.keys(values).length === 0) {
        await trx.deleteFrom('connection_instance_values').where('connection_id', '=', id).execute()
      } else {
        await trx
          .insertInto('connection_instance_values')
          .values({ connection_id: id, ...saved })
          .onConflict((conflict) => conflict.columns(['connection_id']).doUpdateSet(saved))
          .execute()
      }
      const now = await readInstalled(trx, id, instance)
      if (now) await clearOldCatalogues(trx, id, now.fingerprint)
      await also?.(trx)
    }, 'audit')
  },
})

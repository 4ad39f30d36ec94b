/** SQL of how people set their presence. What was never set is as usual; what cannot be read is as if never set. */
import { PresenceMode } from '@atrium/contract/presence'
import { z } from 'zod'
import type { Database } from '../../platform/db/types.ts'
import { storedJson, unlessUnreadable } from '../../platform/stored-json.ts'
import type { Vault } from '../../platform/vault/types.ts'
import { type PresenceSettings, usualSettings } from './rules.ts'
import type { PresenceTables } from './tables.ts'

const Stored = z.strictObject({ mode: PresenceMode, until: z.number().nullable(), status: z.string().nullable() })
const storedSettings = storedJson('presence_settings.settings', Stored)
const slice = 200

export type PresenceStore = ReturnType<typeof createPresenceStore>

export const createPresenceStore = ({
  database,
  vault,
}: {
  readonly database: Database
  readonly vault: Pick<Vault, 'keyring'>
}) => {
  const tables = database.tables<PresenceTables>()
  return {
    /** Of these accounts, by id. */
    async read(accountIds: readonly string[]): Promise<ReadonlyMap<string, PresenceSettings>> {
      const all = new Map<string, PresenceSettings>(accountIds.map((id) => [id, usualSettings]))
      for (let at = 0; at < accountIds.length; at += slice) {
        const rows = await tables
          .selectFrom('presence_settings')
          .selectAll()
          .where('account_id', 'in', accountIds.slice(at, at + slice))
          .execute()
        for (const { account_id: id, settings } of rows) {
          const keyring = await vault.keyring(id)
          all.set(
            id,
            unlessUnreadable(() => storedSettings.open(keyring, id, settings), usualSettings),
          )
        }
      }
      return all
    },

    async write(accountId: string, settings: PresenceSettings): Promise<void> {
      const sealed = storedSettings.seal(await vault.keyring(accountId), accountId, settings)
      await tables
        .insertInto('presence_settings')
        .values({ account_id: accountId, settings: sealed })
        .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ settings: sealed }))
        .execute()
    },

    async removeAccount(accountId: string): Promise<void> {
      await tables.deleteFrom('presence_settings').where('account_id', '=', accountId).execute()
    },
  }
}

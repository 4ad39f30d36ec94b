/** Every SQL statement about preferences; sealed rows become documents here and nowhere else. */
import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/types.ts'
import { runOptimistic } from '../../platform/db/unread.ts'
import { storedJson, unlessUnreadable } from '../../platform/stored-json.ts'
import type { Keyring, Vault } from '../../platform/vault/types.ts'
import type { StoredPreferences } from './rules.ts'
import type { SettingsTables } from './tables.ts'

export type SettingsStore = ReturnType<typeof createSettingsStore>

export const createSettingsStore = ({ database, vault, clock }: { database: Database; vault: Vault; clock: Clock }) => {
  const tables = () => database.tables<SettingsTables>()

  return {
    async preferences(accountId: string): Promise<StoredPreferences> {
      const row = await readRow(tables(), accountId)
      if (!row) return {}
      return openPreferences(await vault.keyring(accountId), accountId, row.document)
    },

    /** What is written was changed from what stands there, so that two pages never undo each other. */
    async changePreferences(
      accountId: string,
      change: (stored: StoredPreferences) => StoredPreferences,
    ): Promise<StoredPreferences> {
      const keyring = await vault.keyring(accountId)
      const updated_at = clock.now()
      const known = await readRow(tables(), accountId)
      let tries = 0
      return await database.write<SettingsTables, StoredPreferences>(async (trx) => {
        tries += 1
        const isAsRead = tries === 1 && known !== undefined
        const row = isAsRead ? known : await readRow(trx, accountId)
        const changed = change(row ? openPreferences(keyring, accountId, row.document) : {})
        const document = preferencesJson.seal(keyring, accountId, changed)
        if (isAsRead) {
          const changing = trx.updateTable('preferences').set({ document, updated_at })
          await runOptimistic(trx, changing.where('account_id', '=', accountId).where('document', '=', known.document))
          return changed
        }
        await trx
          .insertInto('preferences')
          .values({ account_id: accountId, document, updated_at })
          .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ document, updated_at }))
          .execute()
        return changed
      })
    },
  }
}

const readRow = (on: Kysely<SettingsTables>, accountId: string): Promise<{ document: Uint8Array } | undefined> =>
  on.selectFrom('preferences').select('document').where('account_id', '=', accountId).executeTakeFirst()

/** Only the outer form: members are judged one by one when they are read. */
const Stored = z.record(z.string(), z.unknown())
const preferencesJson = storedJson<StoredPreferences>('preferences.document', Stored)
/** What cannot be read is as good as none: all of it is default then. */
const openPreferences = (keyring: Keyring, accountId: string, document: Uint8Array): StoredPreferences =>
  unlessUnreadable(() => preferencesJson.open(keyring, accountId, document), {})

/** Every SQL statement about settings; sealed rows become documents here and nowhere else. */
import { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import { type AnyTransaction, type Database, over } from '../../platform/db/types.ts'
import { storedJson, unlessUnreadable } from '../../platform/stored-json.ts'
import type { Keyring, Vault } from '../../platform/vault/types.ts'
import type { StoredPreferences } from './rules.ts'
import type { SettingsTables } from './tables.ts'

export type SettingsStore = ReturnType<typeof createSettingsStore>

export const createSettingsStore = ({ database, vault, clock }: { database: Database; vault: Vault; clock: Clock }) => {
  const tables = () => database.tables<SettingsTables>()

  return {
    async preferences(accountId: string): Promise<StoredPreferences> {
      const row = await tables()
        .selectFrom('preferences')
        .select('document')
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      if (!row) return {}
      return openPreferences(await vault.keyring(accountId), accountId, row.document)
    },

    /** Reads, changes and writes in one transaction, so that two pages never undo each other. */
    async changePreferences(
      accountId: string,
      change: (stored: StoredPreferences) => StoredPreferences,
    ): Promise<StoredPreferences> {
      const keyring = await vault.keyring(accountId)
      const updated_at = clock.now()
      return await database.write<SettingsTables, StoredPreferences>(async (trx) => {
        const row = await trx
          .selectFrom('preferences')
          .select('document')
          .where('account_id', '=', accountId)
          .executeTakeFirst()
        const changed = change(row ? openPreferences(keyring, accountId, row.document) : {})
        const document = preferencesJson.seal(keyring, accountId, changed)
        await trx
          .insertInto('preferences')
          .values({ account_id: accountId, document, updated_at })
          .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ document, updated_at }))
          .execute()
        return changed
      })
    },

    /** The saved settings by name, as JSON. */
    async settings(): Promise<Map<string, SavedText>> {
      const keyring = await vault.keyring(null)
      const rows = await tables().selectFrom('instance_settings').select(['name', 'value']).execute()
      return new Map(rows.map(({ name, value }) => [name, openSetting(keyring, name, value)]))
    },

    /** Gives a write that changes the JSON of one setting inside somebody's transaction. */
    async changeSetting(
      name: string,
      change: (before: SavedText | undefined) => string,
    ): Promise<(trx: AnyTransaction) => Promise<void>> {
      const keyring = await vault.keyring(null)
      const updated_at = clock.now()
      return async (trx) => {
        const settings = over<SettingsTables>(trx)
        const row = await settings
          .selectFrom('instance_settings')
          .select('value')
          .where('name', '=', name)
          .executeTakeFirst()
        const before = row && openSetting(keyring, name, row.value)
        const value = keyring.seal(settingPlace, name, change(before))
        await settings
          .insertInto('instance_settings')
          .values({ name, value, updated_at })
          .onConflict((conflict) => conflict.column('name').doUpdateSet({ value, updated_at }))
          .execute()
      }
    },

    /** Saves several settings, as JSON, in one transaction. */
    async saveSettings(values: ReadonlyMap<string, string>): Promise<void> {
      const keyring = await vault.keyring(null)
      const updated_at = clock.now()
      const rows = [...values].map(([name, value]) => ({
        name,
        value: keyring.seal(settingPlace, name, value),
        updated_at,
      }))
      await database.write<SettingsTables, void>(async (trx) => {
        for (const row of rows) {
          await trx
            .insertInto('instance_settings')
            .values(row)
            .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: row.value, updated_at }))
            .execute()
        }
      })
    },
  }
}

/** The JSON of a setting; null where its seal is broken. */
export type SavedText = string | null
export const settingPlace = 'instance_settings.value'

const openSetting = (keyring: Keyring, name: string, value: Uint8Array): SavedText =>
  unlessUnreadable(() => keyring.open(settingPlace, name, value), null)

/** Only the outer form: members are judged one by one when they are read. */
const Stored = z.record(z.string(), z.unknown())
const preferencesJson = storedJson<StoredPreferences>('preferences.document', Stored)
/** What cannot be read is as good as none: all of it is default then. */
const openPreferences = (keyring: Keyring, accountId: string, document: Uint8Array): StoredPreferences =>
  unlessUnreadable(() => preferencesJson.open(keyring, accountId, document), {})

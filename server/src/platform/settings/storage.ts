/** Where saved settings are: rows of a name and sealed JSON, and a channel on which processes tell of changes. */
import type { Clock } from '../clock.ts'
import { type AnyTransaction, type Database, inTables } from '../db/types.ts'
import { unlessUnreadable } from '../stored-json.ts'
import type { ColumnName, Vault } from '../vault/types.ts'

export interface StorageDeps {
  readonly database: Database
  readonly vault: Vault
  readonly clock: Clock
}

/** The JSON of a row; null where its seal is broken. */
export type SavedText = string | null

export interface SettingStorage {
  readonly place: ColumnName
  readonly channel: string
  /** The saved rows by name. */
  read(): Promise<ReadonlyMap<string, SavedText>>
  /**
   * Prepares to change rows of these names inside somebody's transaction: `change` gets those that there are, and gives
   * what is to be written; null removes a row.
   */
  prepare(names: readonly string[], change: RowsChange): Promise<(trx: AnyTransaction) => Promise<void>>
}

export type RowsChange = (before: ReadonlyMap<string, SavedText>) => ReadonlyMap<string, string | null>

export interface InstanceSettingRow {
  name: string
  /** JSON, sealed with the instance's key. */
  value: Uint8Array
  updated_at: number
}
interface InstanceSettingTables {
  instance_settings: InstanceSettingRow
}

const place = 'instance_settings.value'

/** The settings of the instance, in the table `instance_settings`. */
export const instanceSettingStorage = ({ database, vault, clock }: StorageDeps): SettingStorage => ({
  place,
  channel: 'instance-settings-changed',

  async read() {
    const keyring = await vault.keyring(null)
    const rows = await database
      .tables<InstanceSettingTables>()
      .selectFrom('instance_settings')
      .select(['name', 'value'])
      .execute()
    return new Map(
      rows.map(({ name, value }) => [name, unlessUnreadable(() => keyring.open(place, name, value), null)]),
    )
  },

  async prepare(names, change) {
    const keyring = await vault.keyring(null)
    const updated_at = clock.now()
    return async (trx) => {
      const settings = inTables<InstanceSettingTables>(trx)
      const rows = await settings
        .selectFrom('instance_settings')
        .select(['name', 'value'])
        .where('name', 'in', names)
        .execute()
      const before = new Map<string, SavedText>(
        rows.map(({ name, value }) => [name, unlessUnreadable(() => keyring.open(place, name, value), null)]),
      )
      for (const [name, json] of change(before)) {
        if (json === null) {
          await settings.deleteFrom('instance_settings').where('name', '=', name).execute()
          continue
        }
        const value = keyring.seal(place, name, json)
        await settings
          .insertInto('instance_settings')
          .values({ name, value, updated_at })
          .onConflict((conflict) => conflict.column('name').doUpdateSet({ value, updated_at }))
          .execute()
      }
    }
  },
})

/** Preferences of people and settings of the instance, all sealed. */
import type { Migration } from '../../platform/db/types.ts'
import type { InstanceSettingRow } from '../../platform/settings/index.ts'
import { type SealedColumn, sealedColumns } from '../../platform/vault/sealed-columns.ts'

export interface PreferenceRow {
  account_id: string
  /** The JSON of what differs from the defaults. */
  document: Uint8Array
  updated_at: number
}
export interface SettingsTables {
  preferences: PreferenceRow
  instance_settings: InstanceSettingRow
}

/** Stands on the table of accounts, so its migrations come after theirs. */
export const settingsMigrations: readonly Migration[] = [
  {
    id: 'settings/0001-preferences',
    up: ({ text, int, bytes }) => [
      `create table preferences (
        account_id ${text} primary key references accounts (id) on delete cascade,
        document ${bytes} not null,
        updated_at ${int} not null
      )`,
      `create table instance_settings (
        name ${text} primary key,
        value ${bytes} not null,
        updated_at ${int} not null
      )`,
    ],
  },
]

export const settingsSealed: readonly SealedColumn[] = [
  ...sealedColumns('preferences', ['document'], { key: ['account_id'], owner: 'account_id' }),
  ...sealedColumns('instance_settings', ['value'], { key: ['name'] }),
]

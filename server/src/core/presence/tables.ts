import type { Migration } from '../../platform/db/types.ts'
import { type SealedColumn, sealedColumns } from '../../platform/vault/sealed-columns.ts'

export interface PresenceSettingsRow {
  account_id: string
  /** Mode, end and status, sealed. */
  settings: Uint8Array
}

export interface PresenceTables {
  presence_settings: PresenceSettingsRow
}

export const presenceMigrations: readonly Migration[] = [
  {
    id: 'presence/0001-settings',
    up: ({ text, bytes }) => [
      `create table presence_settings (account_id ${text} primary key, settings ${bytes} not null)`,
    ],
  },
]

export const presenceSealed: readonly SealedColumn[] = [
  ...sealedColumns('presence_settings', ['settings'], { key: ['account_id'], owner: 'account_id' }),
]

/** What administrators set about the models of the instance, sealed with its key. */
import type { Migration } from '../../platform/db/types.ts'
import { type SealedColumn, sealedColumns } from '../../platform/vault/sealed-columns.ts'

export interface LocalRuntimeSettingRow {
  name: string
  /** JSON, sealed. */
  value: Uint8Array
  updated_at: number
}
export interface LocalRuntimeTables {
  local_runtime_settings: LocalRuntimeSettingRow
}

export const localRuntimeMigrations: readonly Migration[] = [
  {
    id: 'local-runtime/0001-settings',
    up: ({ text, int, bytes }) => [
      `create table local_runtime_settings (
        name ${text} primary key,
        value ${bytes} not null,
        updated_at ${int} not null
      )`,
    ],
  },
]

export const localRuntimeSealed: readonly SealedColumn[] = [
  ...sealedColumns('local_runtime_settings', ['value'], { key: ['name'] }),
]

/** Where wrapped data keys are kept. */
import type { Migration } from '../db/types.ts'
import { type SealedColumn, sealedColumns } from './sealed-columns.ts'

export interface VaultKeyRow {
  /** An account's id, or the kind and id of what has a key of its own; empty for the instance. */
  owner: string
  /** Counts the keys of an owner; it stands in front of what they sealed. */
  number: number
  wrapped: Uint8Array
  created_at: number
}
/** An instance key that was replaced: what was wrapped for it elsewhere, such as older backups, goes on opening. */
interface FormerKeyRow {
  fingerprint: string
  /** The key, with the newest data key of the instance. */
  sealed: Uint8Array
  replaced_at: number
}
export interface VaultTables {
  vault_keys: VaultKeyRow
  vault_former_keys: FormerKeyRow
}

export const vaultMigrations: readonly Migration[] = [
  {
    id: 'vault/0001-keys',
    up: ({ text, int, bytes }) => [
      `create table vault_keys (
        owner ${text} not null,
        number ${int} not null,
        wrapped ${bytes} not null,
        created_at ${int} not null,
        primary key (owner, number)
      )`,
    ],
  },
  {
    id: 'vault/0002-former-keys',
    up: ({ text, int, bytes }) => [
      `create table vault_former_keys (
        fingerprint ${text} not null primary key,
        sealed ${bytes} not null,
        replaced_at ${int} not null
      )`,
    ],
  },
]

export const vaultSealed: readonly SealedColumn[] = [
  ...sealedColumns('vault_former_keys', ['sealed'], { key: ['fingerprint'] }),
]

/** By which ids directories know accounts. */
import type { Migration } from '../../../platform/db/types.ts'
import type { AccountRow } from '../../accounts/index.ts'
import { type SealedColumn, sealedColumns } from '../../../platform/vault/sealed-columns.ts'

/** `ldap`: people sign in with it; `scim`: it keeps the account. */
export type DirectorySource = 'ldap' | 'scim'

export interface DirectoryIdRow {
  account_id: string
  source: DirectorySource
  /** Blind index of the id that the directory has for the account; null where it has none. */
  subject_index: string | null
  subject: Uint8Array | null
  /** Sealed JSON: what the directory said beside the fields of an account. */
  attributes: Uint8Array | null
  linked_at: number
  seen_at: number
}

export interface DirectoryIdTables {
  account_directory_ids: DirectoryIdRow
  /** Read, to list those of a directory by age and status. */
  accounts: Readonly<Pick<AccountRow, 'id' | 'status' | 'created_at'>>
}

export const directoryIdMigrations: readonly Migration[] = [
  {
    id: 'account-directories/0001-ids',
    up: ({ text, int, bytes }) => [
      `create table account_directory_ids (
        account_id ${text} not null references accounts (id) on delete cascade,
        source ${text} not null,
        subject_index ${text},
        subject ${bytes},
        attributes ${bytes},
        linked_at ${int} not null,
        seen_at ${int} not null,
        primary key (account_id, source),
        unique (source, subject_index)
      )`,
    ],
  },
]

export const directoryIdSealed: readonly SealedColumn[] = [
  ...sealedColumns('account_directory_ids', ['subject', 'attributes'], {
    key: ['account_id', 'source'],
    row: "account_id || ' ' || source",
    owner: 'account_id',
  }),
]

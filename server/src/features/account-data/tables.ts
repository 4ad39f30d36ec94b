/** Exports of accounts. The archives themselves are files of their owners, in parts. */
import type { Migration } from '../../platform/db/types.ts'

export interface AccountExportRow {
  id: string
  account_id: string
  state: 'running' | 'ready' | 'failed'
  size_bytes: number | null
  by_administrator: number
  created_at: number
  expires_at: number
}

export interface AccountExportPartRow {
  export_id: string
  number: number
  /** Of the platform's files. */
  file_id: string
  size_bytes: number
}

export interface AccountDataTables {
  account_exports: AccountExportRow
  account_export_parts: AccountExportPartRow
}

export const accountDataMigrations: readonly Migration[] = [
  {
    id: 'account-data/0001-exports',
    up: ({ text, int }) => [
      `create table account_exports (
        id ${text} primary key,
        account_id ${text} not null references accounts (id) on delete cascade,
        state ${text} not null,
        size_bytes ${int},
        by_administrator ${int} not null,
        created_at ${int} not null,
        expires_at ${int} not null
      )`,
      'create index account_exports_by_account on account_exports (account_id, created_at)',
      // One at a time for an account.
      `create unique index account_exports_running on account_exports (account_id) where state = 'running'`,
      'create index account_exports_by_end on account_exports (expires_at)',
      `create table account_export_parts (
        export_id ${text} not null references account_exports (id) on delete cascade,
        number ${int} not null,
        file_id ${text} not null,
        size_bytes ${int} not null,
        primary key (export_id, number)
      )`,
    ],
  },
]

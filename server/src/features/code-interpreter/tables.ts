import type { Migration } from '../../platform/db/types.ts'
import { type SealedColumn, sealedColumns } from '../../platform/vault/sealed-columns.ts'

export interface CodeFileRow {
  /** Of the file, too. */
  id: string
  account_id: string
  /** null: of a program that belonged to no chat. */
  chat_id: string | null
  folder: 'keep' | 'out'
  /** Its path in the folder, sealed. */
  name: Uint8Array
  /** Of its path in `/keep`, keyed: a chat keeps one file of a path. null: of `/out`, or older than this column. */
  path_digest: string | null
  size_bytes: number
  created_at: number
  /** When it is deleted; null: with its chat. */
  expires_at: number | null
}

export interface CodeInterpreterTables {
  code_files: CodeFileRow
}

export const codeInterpreterMigrations: readonly Migration[] = [
  {
    id: 'code-interpreter/0001-files',
    up: ({ text, int, bytes }) => [
      `create table code_files (
        id ${text} primary key,
        account_id ${text} not null,
        chat_id ${text},
        folder ${text} not null,
        name ${bytes} not null,
        size_bytes ${int} not null,
        created_at ${int} not null,
        expires_at ${int}
      )`,
      'create index code_files_by_chat on code_files (chat_id, folder, created_at, id)',
      'create index code_files_by_account on code_files (account_id, created_at, id)',
      'create index code_files_expiring on code_files (expires_at) where expires_at is not null',
    ],
  },
  {
    id: 'code-interpreter/0002-kept-paths',
    up: ({ text }) => [
      `alter table code_files add column path_digest ${text}`,
      'create unique index code_files_by_path on code_files (chat_id, path_digest) where path_digest is not null',
    ],
  },
]

export const codeInterpreterSealed: readonly SealedColumn[] = [
  ...sealedColumns('code_files', ['name'], { owner: 'account_id' }),
]

import type { Migration } from '../db/types.ts'
import { type SealedColumn, sealedColumns } from '../vault/sealed-columns.ts'

export interface FileRow {
  id: string
  account_id: string | null
  /** Bytes of the plain file. */
  size: number
  chunks: number
  /** 0 while its chunks are being written. */
  complete: number
  created_at: number
  /** 0: it does not count against the quota of its account. */
  counted: number
  /** 1: its count of chunks was not known before its last one, and only that is sealed with it. */
  streamed: number
  /** 1: it is no file, but the room that something in other tables takes. */
  held: number
  /** Whose key still seals its chunks, where that is not the key of its account: it was handed over. */
  sealed_by: string | null
}

export interface ChunkRow {
  file_id: string
  /** Counts from 0. */
  number: number
  content: Uint8Array
}

export interface FileTables {
  files: FileRow
  file_chunks: ChunkRow
}

export const fileMigrations: readonly Migration[] = [
  {
    id: 'files/0001-files',
    up: ({ text, int, bytes }) => [
      `create table files (
        id ${text} primary key,
        account_id ${text},
        size ${int} not null,
        chunks ${int} not null,
        complete ${int} not null,
        created_at ${int} not null
      )`,
      'create index files_account on files (account_id)',
      'create index files_complete on files (complete, created_at)',
      `create table file_chunks (
        file_id ${text} not null references files (id) on delete cascade,
        number ${int} not null,
        content ${bytes} not null,
        primary key (file_id, number)
      )`,
    ],
  },
  {
    id: 'files/0002-counted',
    up: ({ int }) => [`alter table files add column counted ${int} not null default 1`],
  },
  {
    id: 'files/0003-streamed',
    up: ({ int }) => [`alter table files add column streamed ${int} not null default 0`],
  },
  {
    id: 'files/0004-held',
    up: ({ int }) => [`alter table files add column held ${int} not null default 0`],
  },
  {
    id: 'files/0005-sealed-by',
    up: ({ text }) => [
      `alter table files add column sealed_by ${text}`,
      'create index files_sealed_by on files (sealed_by) where sealed_by is not null',
    ],
  },
]

export const fileSealed: readonly SealedColumn[] = [
  ...sealedColumns('file_chunks', ['content'], {
    key: ['file_id', 'number'],
    row: `file_id || ':' || number || '/' || (select
      case when streamed = 0 or number = chunks - 1 then cast(chunks as text) else '' end
      from files where files.id = file_id)`,
    owner: '(select coalesce(sealed_by, account_id) from files where files.id = file_id)',
  }),
]

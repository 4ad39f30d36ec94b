import type { Migration } from '../../platform/db/types.ts'
import { type SealedColumn, sealedColumns } from '../../platform/vault/sealed-columns.ts'

export interface FieldNoteRow {
  id: string
  account_id: string
  /** Sealed. */
  title: Uint8Array
  created_at: number
  updated_at: number
  /** When it went to the trash. */
  deleted_at: number | null
}

export interface FieldNoteTables {
  field_notes: FieldNoteRow
}

export const fieldNoteMigrations: readonly Migration[] = [
  {
    id: 'field-notes/0001-field-notes',
    up: ({ text, int, bytes }) => [
      `create table field_notes (
        id ${text} primary key,
        account_id ${text} not null,
        title ${bytes} not null,
        created_at ${int} not null,
        updated_at ${int} not null,
        deleted_at ${int}
      )`,
      'create index field_notes_by_account on field_notes (account_id, created_at, id)',
      'create index field_notes_by_deletion on field_notes (deleted_at)',
    ],
  },
]

export const fieldNoteSealed: readonly SealedColumn[] = [
  ...sealedColumns('field_notes', ['title'], { owner: 'account_id', words: { entry: "'field-note:' || id" } }),
]

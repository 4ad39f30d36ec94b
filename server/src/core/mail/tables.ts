/** Letters that wait to be sent, sealed; a letter is removed once it is sent, and some days after it was refused. */
import type { Migration } from '../../platform/db/types.ts'
import { type SealedColumn, sealedColumns } from '../../platform/vault/sealed-columns.ts'

export interface MailLetterRow {
  id: string
  /** JSON, sealed for the instance. */
  letter: Uint8Array
  created_at: number
  /** When the mail server refused it for good (milliseconds): kept for who has it tried again; null while it waits. */
  refused_at: number | null
}

export interface MailTables {
  mail_letters: MailLetterRow
}

export const mailMigrations: readonly Migration[] = [
  {
    id: 'mail/0001-letters',
    up: ({ text, int, bytes }) => [
      `create table mail_letters (
        id ${text} primary key,
        letter ${bytes} not null,
        created_at ${int} not null
      )`,
      `create index mail_letters_age on mail_letters (created_at)`,
    ],
  },
  {
    id: 'mail/0002-refused-letters',
    up: ({ int }) => [`alter table mail_letters add column refused_at ${int}`],
  },
]

export const mailSealed: readonly SealedColumn[] = [...sealedColumns('mail_letters', ['letter'])]

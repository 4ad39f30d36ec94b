/** Letters that wait to be sent, sealed; a letter is removed with its last try. */
import type { Migration } from '../../platform/db/types.ts'

export interface MailLetterRow {
  id: string
  /** JSON, sealed for the instance. */
  letter: Uint8Array
  created_at: number
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
]

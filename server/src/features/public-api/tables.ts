/** Answers that are kept for a day under the key that their client gave them. */
import type { Migration } from '../../platform/db/types.ts'
import { type SealedColumn, sealedColumns } from '../../platform/vault/sealed-columns.ts'

export interface StoredAnswerRow {
  /** Blind index of account, token, route and key. */
  id: string
  account_id: string
  /** Blind index of the request's body. */
  digest: string
  /** null while the request runs. */
  media_type: string | null
  /** Sealed; null while the request runs. */
  answer: Uint8Array | null
  created_at: number
}
export interface PublicApiTables {
  kept_answers: StoredAnswerRow
}

/** Stands on the table of accounts, so its migrations come after theirs. */
export const publicApiMigrations: readonly Migration[] = [
  {
    id: 'public-api/0001-kept-answers',
    up: ({ text, int, bytes }) => [
      `create table kept_answers (
        id ${text} primary key,
        account_id ${text} not null references accounts (id) on delete cascade,
        digest ${text} not null,
        media_type ${text},
        answer ${bytes},
        created_at ${int} not null
      )`,
      `create index kept_answers_account on kept_answers (account_id)`,
      `create index kept_answers_age on kept_answers (created_at)`,
    ],
  },
]

export const publicApiSealed: readonly SealedColumn[] = [
  ...sealedColumns('kept_answers', ['answer'], { owner: 'account_id' }),
]

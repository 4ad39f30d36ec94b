/** Failed attempts at passwords and codes, for as long as they count. */
import type { Migration } from '../../../platform/db/types.ts'

export interface FailedAttemptRow {
  /** Keyed one-way digest of what was guessed at: an account, a name that nobody has, a device of an account. */
  subject: string
  /** Since `wrong_since`, over all addresses and all processes. */
  wrong_count: number
  wrong_since: number
}

export interface LockoutTables {
  wrong_guesses: FailedAttemptRow
}

export const lockoutMigrations: readonly Migration[] = [
  {
    id: 'guesses/0001-guesses',
    up: ({ text, int }) => [
      `create table wrong_guesses (
        subject ${text} primary key,
        wrong_count ${int} not null,
        wrong_since ${int} not null
      )`,
      `create index wrong_guesses_age on wrong_guesses (wrong_since)`,
      // Wrong codes were counted with the factor; they are counted with all others now.
      `alter table second_factors drop column wrong_count`,
      `alter table second_factors drop column wrong_since`,
    ],
  },
]

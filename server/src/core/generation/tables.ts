import type { Migration } from '../../platform/db/types.ts'
import type { RunState } from './types.ts'

export interface GenerationRow {
  id: string
  account_id: string
  kind: string
  scope_id: string
  subject_id: string
  state: RunState
  owner: string
  cancel_requested: number
  base_length: number
  digest: string | null
  started_at: number
  ended_at: number | null
  /** The sequence of the last event, once the run has ended. */
  last_seq: number | null
}

export interface GenerationTables {
  generations: GenerationRow
}

export const generationMigrations: readonly Migration[] = [
  {
    id: 'generation/0001-generations',
    up: ({ text, int }) => [
      `create table generations (
        id ${text} primary key,
        account_id ${text} not null references accounts (id) on delete cascade,
        kind ${text} not null,
        scope_id ${text} not null,
        subject_id ${text} not null,
        state ${text} not null,
        owner ${text} not null,
        cancel_requested ${int} not null default 0,
        base_length ${int} not null default 0,
        digest ${text},
        started_at ${int} not null,
        ended_at ${int},
        last_seq ${int}
      )`,
      // One run at a time in a scope: the database itself refuses the second.
      `create unique index generations_one_running on generations (scope_id) where state = 'running'`,
      `create index generations_running on generations (account_id) where state = 'running'`,
      `create index generations_subject on generations (subject_id, started_at)`,
      `create index generations_scope on generations (scope_id, started_at)`,
      `create index generations_unclosed on generations (ended_at) where last_seq is null`,
    ],
  },
  {
    id: 'generation/0002-no-unclosed',
    up: () => ['drop index generations_unclosed'],
  },
]

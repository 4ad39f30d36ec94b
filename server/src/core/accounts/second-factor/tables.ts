/** Second factors, recovery codes, and sign-ins that wait for their second step. Secrets are sealed, codes and tokens are digests. */
import type { SessionKind } from '@atrium/contract/accounts'
import type { Migration } from '../../../platform/db/types.ts'

export interface SecondFactorRow {
  account_id: string
  /** Base32, sealed with the key of the account; null after a reset, until it is set up anew. */
  secret: Uint8Array | null
  /** null while no code has confirmed it. */
  activated_at: number | null
  /** The last time step whose code was taken; it only grows, so a code works once. */
  last_step: number
  /** When an administrator took the factor away; null once there is one again. */
  reset_at: number | null
}

export interface RecoveryCodeRow {
  account_id: string
  /** Keyed one-way digest. A used one is removed. */
  code_index: string
}

export interface SignInChallengeRow {
  /** SHA-256 of the token, hex. The token itself is nowhere. */
  token_digest: string
  account_id: string
  purpose: 'verify' | 'enroll'
  /** The sign-in method of the first step. */
  kind: SessionKind
  /** SHA-256 of the stored password hash and the time of the account's last change, as they were at the first step. */
  account_digest: string
  /** As the session is going to have it. */
  upstream_index: string | null
  wrong_count: number
  expires_at: number
}

export interface SecondFactorTables {
  second_factors: SecondFactorRow
  recovery_codes: RecoveryCodeRow
  sign_in_challenges: SignInChallengeRow
}

export const secondFactorMigrations: readonly Migration[] = [
  {
    id: 'second-factor/0001-second-factor',
    up: ({ text, int, bytes }) => [
      `create table second_factors (
        account_id ${text} primary key references accounts (id) on delete cascade,
        secret ${bytes},
        activated_at ${int},
        last_step ${int} not null,
        wrong_count ${int} not null,
        wrong_since ${int} not null,
        reset_at ${int}
      )`,
      `create table recovery_codes (
        account_id ${text} not null references accounts (id) on delete cascade,
        code_index ${text} not null,
        primary key (account_id, code_index)
      )`,
      `create table sign_in_challenges (
        token_digest ${text} primary key,
        account_id ${text} not null references accounts (id) on delete cascade,
        purpose ${text} not null check (purpose in ('verify', 'enroll')),
        kind ${text} not null,
        account_digest ${text} not null,
        wrong_count ${int} not null,
        expires_at ${int} not null
      )`,
      `create index sign_in_challenges_account on sign_in_challenges (account_id)`,
      `create index sign_in_challenges_age on sign_in_challenges (expires_at)`,
    ],
  },
  {
    id: 'second-factor/0002-upstream',
    up: ({ text }) => [`alter table sign_in_challenges add column upstream_index ${text}`],
  },
]

/** Passkeys, and the challenges of ceremonies that were begun. */
import type { Migration } from '../../../platform/db/types.ts'

export interface PasskeyRow {
  id: string
  account_id: string
  /** Blind index of the credential's id, which nothing keeps in plain. */
  credential_index: string
  /** Sealed JSON: the credential's id, its public key, how it is reached. */
  credential: Uint8Array
  name: Uint8Array | null
  sign_count: number
  created_at: number
  last_used_at: number | null
  /** When it counted backwards: it is not accepted since. */
  suspect_at: number | null
}

export interface PasskeyChallengeRow {
  /** SHA-256 of what the client shows, hex. */
  token_digest: string
  /** SHA-256 of what the device signs, hex. */
  challenge_digest: string
  purpose: 'register' | 'login'
  /** Who adds a passkey; null for a sign-in. */
  account_id: string | null
  expires_at: number
}

export interface PasskeyTables {
  passkeys: PasskeyRow
  passkey_challenges: PasskeyChallengeRow
}

export const passkeyMigrations: readonly Migration[] = [
  {
    id: 'passkeys/0001-passkeys',
    up: ({ text, int, bytes }) => [
      `create table passkeys (
        id ${text} primary key,
        account_id ${text} not null references accounts (id) on delete cascade,
        credential_index ${text} not null unique,
        credential ${bytes} not null,
        name ${bytes},
        sign_count ${int} not null,
        created_at ${int} not null,
        last_used_at ${int},
        suspect_at ${int}
      )`,
      'create index passkeys_account on passkeys (account_id, created_at)',
      `create table passkey_challenges (
        token_digest ${text} primary key,
        challenge_digest ${text} not null,
        purpose ${text} not null check (purpose in ('register', 'login')),
        account_id ${text} references accounts (id) on delete cascade,
        expires_at ${int} not null
      )`,
      'create index passkey_challenges_age on passkey_challenges (expires_at)',
    ],
  },
]

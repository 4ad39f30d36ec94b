/** One-time links, and what is known of an account's address. Of a link only the digest of its secret is kept. */
import type { LinkPurpose } from '@atrium/contract/accounts'
import type { Migration } from '../../../platform/db/types.ts'

export interface OneTimeLinkRow {
  id: string
  /** SHA-256 of the token, hex. The token itself is nowhere. */
  token_digest: string
  purpose: LinkPurpose
  /** Whose link it is; null for an invitation, which is nobody's yet. */
  account_id: string | null
  /** JSON, sealed for the account, else for the instance: what was prepared, by purpose. */
  details: Uint8Array
  /** The administrator who made it; null where the owner asked for it. It stands only while that one is in office. */
  created_by: string | null
  created_at: number
  expires_at: number
  used_at: number | null
  revoked_at: number | null
}

export interface LinkTables {
  one_time_links: OneTimeLinkRow
}

export const linkMigrations: readonly Migration[] = [
  {
    id: 'links/0001-one-time-links',
    up: ({ text, int, bytes }) => [
      `create table one_time_links (
        id ${text} primary key,
        token_digest ${text} not null unique,
        purpose ${text} not null check (purpose in ('invite', 'reset', 'verify-email')),
        account_id ${text} references accounts (id) on delete cascade,
        details ${bytes} not null,
        created_by ${text} references accounts (id) on delete cascade,
        created_at ${int} not null,
        expires_at ${int} not null,
        used_at ${int},
        revoked_at ${int}
      )`,
      `create index one_time_links_account on one_time_links (account_id, purpose, created_at)`,
      `create index one_time_links_purpose on one_time_links (purpose, created_at, id)`,
      `alter table accounts add column email_verified_at ${int}`,
      `alter table accounts add column pending_email ${bytes}`,
    ],
  },
]

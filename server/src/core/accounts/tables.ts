/** Accounts, and where they are signed in. Names, addresses and password hashes are sealed. */
import type { SessionKind } from '@atrium/contract/accounts'
import type { Transaction } from 'kysely'
import type { Migration } from '../../platform/db/types.ts'
import { type AvatarTables, avatarMigrations } from './avatars/tables.ts'
import { type PasskeyTables, passkeyMigrations } from './passkeys/tables.ts'
import { type TicketTables, ticketMigrations } from './tickets/tables.ts'
import { type LinkTables, linkMigrations } from './one-time-links/tables.ts'
import { type LockoutTables, lockoutMigrations } from './lockout/tables.ts'
import { type SecondFactorTables, secondFactorMigrations } from './second-factor/tables.ts'
import { type SealedColumn, sealedColumns } from '../../platform/vault/sealed-columns.ts'

export interface AccountRow {
  id: string
  /** Blind index of the plain form of the user name. */
  username_index: string
  username: Uint8Array
  display_name: Uint8Array | null
  email_index: string | null
  email: Uint8Array | null
  /** When somebody showed that mail to the address reaches them. */
  email_verified_at: number | null
  /** What takes its place once it is confirmed. */
  pending_email: Uint8Array | null
  role: 'admin' | 'user'
  status: 'pending' | 'active' | 'disabled'
  /** The password's hash, a PHC string; `!` where there is none. */
  credential: Uint8Array
  created_at: number
  updated_at: number
  /** When an administrator let it in, and who. */
  approved_at: number | null
  approved_by: string | null
  /** When it is going to be deleted. */
  removal_at: number | null
  /** What the address of its picture ends with; null: it has none. */
  avatar_tag: string | null
  /** Since when it is being deleted: it is disabled, hidden from everything, and its name is free again. */
  removing_at: number | null
}

export interface AuthSessionRow {
  id: string
  account_id: string
  /** SHA-256 of the token, hex. The token itself is nowhere. */
  token_digest: string
  kind: SessionKind
  user_agent: Uint8Array | null
  created_at: number
  /** When its owner last showed again who they are; null: not since it began. */
  proved_at: number | null
  /** Blind index of issuer and `sid` of the session at an OpenID provider that it began from. */
  upstream_index: string | null
  last_seen_at: number
  /** From where it was used last; null: not since this is kept. */
  last_address: Uint8Array | null
  expires_at: number
  revoked_at: number | null
}

/** What a user name looks like, kept so that no two accounts look alike. */
export interface AccountNameSkeletonRow {
  /** The version of the table of look-alikes, a colon, and the blind index of a skeleton of the name. */
  skeleton: string
  account_id: string
}

export interface AccountTables
  extends AvatarTables,
    LinkTables,
    SecondFactorTables,
    LockoutTables,
    PasskeyTables,
    TicketTables {
  accounts: AccountRow
  auth_sessions: AuthSessionRow
  account_name_skeletons: AccountNameSkeletonRow
}

export type AccountTransaction = Transaction<AccountTables>

export const accountMigrations: readonly Migration[] = [
  {
    id: 'accounts/0001-accounts',
    up: ({ text, int, bytes }) => [
      `create table accounts (
        id ${text} primary key,
        username_index ${text} not null unique,
        username ${bytes} not null,
        display_name ${bytes},
        email_index ${text} unique,
        email ${bytes},
        role ${text} not null check (role in ('admin', 'user')),
        status ${text} not null check (status in ('pending', 'active', 'disabled')),
        credential ${bytes} not null,
        created_at ${int} not null,
        updated_at ${int} not null
      )`,
      `create index accounts_age on accounts (created_at, id)`,
      `create table auth_sessions (
        id ${text} primary key,
        account_id ${text} not null references accounts (id) on delete cascade,
        token_digest ${text} not null unique,
        kind ${text} not null,
        user_agent ${bytes},
        created_at ${int} not null,
        last_seen_at ${int} not null,
        expires_at ${int} not null,
        revoked_at ${int}
      )`,
      `create index auth_sessions_account on auth_sessions (account_id, last_seen_at)`,
    ],
  },
  // From when groups were a part of this area: they belong to core/groups, but the next step changes what this one makes.
  {
    id: 'accounts/0003-groups',
    up: ({ text, int, bytes }) => [
      `create table account_groups (
        id ${text} primary key,
        name_index ${text} not null unique,
        name ${bytes} not null,
        created_at ${int} not null
      )`,
      `create index account_groups_age on account_groups (created_at, id)`,
      `create table account_group_members (
        group_id ${text} not null references account_groups (id) on delete cascade,
        account_id ${text} not null references accounts (id) on delete cascade,
        primary key (group_id, account_id)
      )`,
      `create index account_group_members_account on account_group_members (account_id)`,
    ],
  },
  {
    id: 'accounts/0004-people',
    up: ({ text, int, bytes }) => [
      `alter table accounts add column approved_at ${int}`,
      `alter table accounts add column approved_by ${text}`,
      `alter table accounts add column removal_at ${int}`,
      `alter table accounts add column removing_at ${int}`,
      `alter table account_groups add column description ${bytes}`,
    ],
  },
  {
    id: 'accounts/0005-proof',
    up: ({ text, int }) => [
      `alter table auth_sessions add column proved_at ${int}`,
      `alter table auth_sessions add column upstream_index ${text}`,
    ],
  },
  {
    id: 'accounts/0006-name-skeletons',
    up: ({ text }) => [
      `create table account_name_skeletons (
        skeleton ${text} primary key,
        account_id ${text} not null references accounts (id) on delete cascade
      )`,
      `create index account_name_skeletons_account on account_name_skeletons (account_id)`,
    ],
  },
  ...linkMigrations,
  ...passkeyMigrations,
  ...ticketMigrations,
  ...secondFactorMigrations,
  ...lockoutMigrations,
  ...avatarMigrations,
  {
    id: 'accounts/0008-session-addresses',
    up: ({ bytes }) => [`alter table auth_sessions add column last_address ${bytes}`],
  },
]

export const accountSealed: readonly SealedColumn[] = [
  ...sealedColumns('accounts', ['username', 'display_name', 'email', 'pending_email', 'credential'], { owner: 'id' }),
  ...sealedColumns('auth_sessions', ['user_agent', 'last_address'], { owner: 'account_id' }),
  ...sealedColumns('one_time_links', ['details'], { owner: 'account_id' }),
  ...sealedColumns('second_factors', ['secret'], { key: ['account_id'], owner: 'account_id' }),
  ...sealedColumns('passkeys', ['credential', 'name'], { owner: 'account_id' }),
  ...sealedColumns('account_avatars', ['picture'], { key: ['account_id'], owner: 'account_id' }),
]

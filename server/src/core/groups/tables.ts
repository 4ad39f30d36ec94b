/** Groups of accounts, who is in them, and where that comes from when a directory keeps it. */
import type { Migration } from '../../platform/db/types.ts'
import type { AccountRow } from '../accounts/index.ts'
import { type SealedColumn, sealedColumns } from '../../platform/vault/sealed-columns.ts'

export interface AccountGroupRow {
  id: string
  /** Blind index of the plain form of the name. */
  name_index: string
  /** Sealed for the instance: a group is nobody's own. */
  name: Uint8Array
  /** Sealed as the name is. */
  description: Uint8Array | null
  created_at: number
}

export interface AccountGroupMemberRow {
  group_id: string
  account_id: string
}

/** Who keeps a group or a membership: `ldap`, `scim`, `oidc:<id>`; `manual` for what was done by hand. */
export type GroupSource = string

export const byHand: GroupSource = 'manual'

export interface AccountGroupOriginRow {
  group_id: string
  source: GroupSource
}

/**
 * Without a row here a membership was made by hand. What was made by hand and is then kept by a source as well has a
 * row `manual` beside it, so that it stays when the source lets go.
 */
export interface AccountGroupSourceRow {
  group_id: string
  account_id: string
  source: GroupSource
}

export interface GroupTables {
  account_groups: AccountGroupRow
  account_group_members: AccountGroupMemberRow
  account_group_origins: AccountGroupOriginRow
  account_group_sources: AccountGroupSourceRow
  /** Read, to know whether there is such an account, and how old it is. */
  accounts: Readonly<Pick<AccountRow, 'id' | 'created_at' | 'removing_at'>>
}

/** What `accounts/0003-groups` and `accounts/0004-people` of core/accounts made is older than this area. */
export const groupMigrations: readonly Migration[] = [
  {
    id: 'account-groups/0001-sources',
    up: ({ text }) => [
      `create table account_group_origins (
        group_id ${text} primary key references account_groups (id) on delete cascade,
        source ${text} not null
      )`,
      `create table account_group_sources (
        group_id ${text} not null,
        account_id ${text} not null,
        source ${text} not null,
        primary key (group_id, account_id, source),
        foreign key (group_id, account_id) references account_group_members (group_id, account_id) on delete cascade
      )`,
      'create index account_group_sources_account on account_group_sources (account_id, source)',
    ],
  },
]

export const groupSealed: readonly SealedColumn[] = [...sealedColumns('account_groups', ['name', 'description'])]

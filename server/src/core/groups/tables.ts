/** Where groups and memberships come from, when a directory keeps them. */
import type { Migration } from '../../platform/db/types.ts'

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

export interface GroupSourceTables {
  account_group_origins: AccountGroupOriginRow
  account_group_sources: AccountGroupSourceRow
}

export const groupSourceMigrations: readonly Migration[] = [
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

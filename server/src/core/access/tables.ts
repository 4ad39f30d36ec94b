/** Who may see or change what. No row holds content. */
import type { ResourceType, Right } from '@atrium/contract/resources'
import type { Migration } from '../../platform/db/types.ts'
import { type SealedColumn, sealedColumns } from '../../platform/vault/sealed-columns.ts'

export interface GrantRow {
  id: string
  resource_type: ResourceType
  resource_id: string
  principal_type: 'account' | 'group'
  principal_id: string
  access_right: Right
  /** Integer milliseconds; from then on it does not count. */
  expires_at: number | null
  created_at: number
}

/** Support access of an administrator to everything of an account. */
export interface SupportAccessRow {
  id: string
  admin_id: string
  account_id: string
  /** Sealed with the key of the instance, as the owner and other administrators read it, too. */
  reason: Uint8Array
  created_at: number
  expires_at: number
  /** Set when it ended before its time. */
  ended_at: number | null
  ended_by: string | null
  /** When the owner said that it was read. */
  seen_at: number | null
}

/** Each resource that was opened, once; `*` means a list of names. */
export interface SupportAccessUseRow {
  break_glass_id: string
  resource_type: ResourceType
  resource_id: string
  opened_at: number
}

/** A member of a group who does not want what a grant gives to the group. It goes with the grant. */
export interface GrantOptOutRow {
  grant_id: string
  account_id: string
}

export interface AccessTables {
  access_grants_left: GrantOptOutRow
  access_grants: GrantRow
  break_glass: SupportAccessRow
  break_glass_uses: SupportAccessUseRow
}

export const accessMigrations: readonly Migration[] = [
  {
    id: 'access/0001-grants',
    up: ({ text, int }) => [
      `create table access_grants (
        id ${text} primary key,
        resource_type ${text} not null,
        resource_id ${text} not null,
        principal_type ${text} not null check (principal_type in ('account', 'group')),
        principal_id ${text} not null,
        access_right ${text} not null,
        expires_at ${int},
        created_at ${int} not null
      )`,
      `create unique index access_grants_of_resource
        on access_grants (resource_type, resource_id, principal_type, principal_id)`,
      'create index access_grants_of_principal on access_grants (principal_type, principal_id, resource_type)',
    ],
  },
  {
    id: 'access/0002-break-glass',
    up: ({ text, int, bytes }) => [
      'create index access_grants_by_end on access_grants (expires_at)',
      `create table break_glass (
        id ${text} primary key,
        admin_id ${text} not null,
        account_id ${text} not null,
        reason ${bytes} not null,
        created_at ${int} not null,
        expires_at ${int} not null,
        ended_at ${int},
        ended_by ${text},
        seen_at ${int}
      )`,
      'create index break_glass_by_admin on break_glass (admin_id, account_id, expires_at)',
      'create index break_glass_by_account on break_glass (account_id, created_at, id)',
      'create index break_glass_by_time on break_glass (created_at, id)',
      'create index break_glass_by_end on break_glass (expires_at)',
      `create table break_glass_uses (
        break_glass_id ${text} not null references break_glass (id) on delete cascade,
        resource_type ${text} not null,
        resource_id ${text} not null,
        opened_at ${int} not null,
        primary key (break_glass_id, resource_type, resource_id)
      )`,
    ],
  },
  {
    id: 'access/0003-left',
    up: ({ text }) => [
      `create table access_grants_left (
        grant_id ${text} not null references access_grants (id) on delete cascade,
        account_id ${text} not null,
        primary key (grant_id, account_id)
      )`,
      'create index access_grants_left_account on access_grants_left (account_id)',
    ],
  },
]

export const accessSealed: readonly SealedColumn[] = [...sealedColumns('break_glass', ['reason'])]

/** Who may see or change what. No row holds content. */
import type { ResourceType, Right } from '@atrium/contract/access-control'
import type { Migration } from '../../platform/db/types.ts'

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

export interface AccessTables {
  access_grants: GrantRow
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
]

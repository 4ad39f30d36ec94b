/** The tokens of directories, and by which ids they know groups. */
import type { Migration } from '../../platform/db/types.ts'
import { type SealedColumn, sealedColumns } from '../../platform/vault/sealed-columns.ts'

export interface ScimTokenRow {
  id: string
  /** SHA-256 of the token, hex. The token itself is nowhere. */
  token_digest: string
  prefix: string
  name: Uint8Array
  created_at: number
  expires_at: number | null
  last_used_at: number | null
}

export interface ScimGroupRow {
  group_id: string
  /** Blind index of the id that the directory has for the group. */
  external_index: string
  external_id: Uint8Array
}

export interface ScimTables {
  scim_tokens: ScimTokenRow
  scim_groups: ScimGroupRow
}

export const scimMigrations: readonly Migration[] = [
  {
    id: 'scim/0001-tokens',
    up: ({ text, int, bytes }) => [
      `create table scim_tokens (
        id ${text} primary key,
        token_digest ${text} not null unique,
        prefix ${text} not null,
        name ${bytes} not null,
        created_at ${int} not null,
        expires_at ${int},
        last_used_at ${int}
      )`,
      `create table scim_groups (
        group_id ${text} primary key references account_groups (id) on delete cascade,
        external_index ${text} not null,
        external_id ${bytes} not null
      )`,
      'create index scim_groups_external on scim_groups (external_index)',
    ],
  },
]

export const scimSealed: readonly SealedColumn[] = [
  ...sealedColumns('scim_tokens', ['name']),
  ...sealedColumns('scim_groups', ['external_id'], { key: ['group_id'] }),
]

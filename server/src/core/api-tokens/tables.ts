/** API tokens. Of a token only a digest is kept; its name is sealed. */
import type { Migration } from '../../platform/db/types.ts'
import type { AccountRow } from '../accounts/index.ts'
import { type SealedColumn, sealedColumns } from '../../platform/vault/sealed-columns.ts'

export interface ApiTokenRow {
  id: string
  account_id: string
  /** SHA-256 of the token, hex. The token itself is nowhere. */
  token_digest: string
  /** Its first twelve characters. */
  prefix: string
  name: Uint8Array
  /** JSON: a list of scopes. */
  scopes: string
  /** JSON: a list of model ids; null for all. */
  models: string | null
  rate_per_minute: number
  created_at: number
  expires_at: number | null
  last_used_at: number | null
  revoked_at: number | null
}

export interface ApiTokenTables {
  api_tokens: ApiTokenRow
  /** Read, to know whose token it is. */
  accounts: Readonly<Pick<AccountRow, 'id' | 'role' | 'status'>>
}

export const apiTokenMigrations: readonly Migration[] = [
  {
    id: 'accounts/0002-api-tokens',
    up: ({ text, int, bytes }) => [
      `create table api_tokens (
        id ${text} primary key,
        account_id ${text} not null references accounts (id) on delete cascade,
        token_digest ${text} not null unique,
        prefix ${text} not null,
        name ${bytes} not null,
        scopes ${text} not null,
        models ${text},
        rate_per_minute ${int} not null,
        created_at ${int} not null,
        expires_at ${int},
        last_used_at ${int},
        revoked_at ${int}
      )`,
      `create index api_tokens_account on api_tokens (account_id, created_at)`,
    ],
  },
]

export const apiTokenSealed: readonly SealedColumn[] = [
  ...sealedColumns('api_tokens', ['name'], { owner: 'account_id' }),
]

/** Browsers that take push messages. What a push service knows one by is sealed: whoever has it can write to the browser. */
import type { Migration } from '../../platform/db/types.ts'
import { type SealedColumn, sealedColumns } from '../../platform/vault/sealed-columns.ts'
import type { AccountTables } from '../accounts/index.ts'

export interface PushDeviceRow {
  id: string
  account_id: string
  session_id: string
  /** SHA-256 of the endpoint, hex. */
  endpoint_digest: string
  /** JSON: endpoint and keys of the browser. Sealed. */
  subscription: Uint8Array
  user_agent: Uint8Array | null
  /** The public key of ours that the browser was told: push services take nothing that is signed with another. */
  public_key: string
  created_at: number
  last_used_at: number | null
}

export interface PushTables {
  push_devices: PushDeviceRow
  /** Read, to know whether their sessions live. */
  auth_sessions: Readonly<Pick<AccountTables['auth_sessions'], 'id' | 'account_id' | 'expires_at' | 'revoked_at'>>
}

export const pushMigrations: readonly Migration[] = [
  {
    id: 'push/0001-devices',
    up: ({ text, int, bytes }) => [
      `create table push_devices (
        id ${text} primary key,
        account_id ${text} not null references accounts (id) on delete cascade,
        session_id ${text} not null references auth_sessions (id) on delete cascade,
        endpoint_digest ${text} not null unique,
        subscription ${bytes} not null,
        user_agent ${bytes},
        public_key ${text} not null,
        created_at ${int} not null,
        last_used_at ${int}
      )`,
      'create index push_devices_account on push_devices (account_id, created_at, id)',
      'create index push_devices_session on push_devices (session_id)',
    ],
  },
]

export const pushSealed: readonly SealedColumn[] = [
  ...sealedColumns('push_devices', ['subscription', 'user_agent'], { owner: 'account_id' }),
]

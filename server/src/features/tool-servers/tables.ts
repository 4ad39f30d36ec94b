/** Tool servers, and what accounts have of them. What administrators wrote, what servers define, and secrets are sealed. */
import type { Migration } from '../../platform/db/types.ts'
import { type SealedColumn, sealedColumns } from '../../platform/vault/sealed-columns.ts'

export interface ToolServerRow {
  id: string
  /** Whose own it is; null: the instance's. */
  owner_id: string | null
  access_mode: string
  enabled: number
  /** Counts every change, so that two of them do not overwrite each other. */
  version: number
  /** Sealed JSON with the key of its owner: name, address, mode of proof, bounds. */
  document: Uint8Array
  /** The same: definitions of tools, as they were accepted and as they were seen last. */
  tools: Uint8Array
  created_at: number
  updated_at: number
}

export interface ToolServerCredentialRow {
  account_id: string
  server_id: string
  /** Sealed JSON for the account: the secret, and the origin that it was saved for. */
  secret: Uint8Array
  saved_at: number
}

/** How the last contact ended. Words in it are ours. */
export interface ToolServerHealthRow {
  account_id: string
  server_id: string
  /** null: it went well; else the kind of fault. */
  fault: string | null
  problem: string | null
  revision: string | null
  checked_at: number
  /** How often in a row it could not be reached. */
  failures: number
  /** Nothing is asked before; null: there is nothing to wait for. */
  retry_at: number | null
}

export interface ToolServerTables {
  tool_servers: ToolServerRow
  tool_server_credentials: ToolServerCredentialRow
  tool_server_health: ToolServerHealthRow
}

export const toolServerMigrations: readonly Migration[] = [
  {
    id: 'tool-servers/0001-servers',
    up: ({ text, int, bytes }) => {
      const own = `
        account_id ${text} not null references accounts (id) on delete cascade,
        server_id ${text} not null references tool_servers (id) on delete cascade`
      return [
        `create table tool_servers (
          id ${text} primary key,
          access_mode ${text} not null,
          enabled ${int} not null,
          version ${int} not null,
          document ${bytes} not null,
          tools ${bytes} not null,
          created_at ${int} not null,
          updated_at ${int} not null
        )`,
        `create table tool_server_credentials (${own},
          secret ${bytes} not null,
          saved_at ${int} not null,
          primary key (account_id, server_id)
        )`,
        `create index tool_server_credentials_by_server on tool_server_credentials (server_id)`,
        `create table tool_server_health (${own},
          fault ${text},
          problem ${text},
          revision ${text},
          checked_at ${int} not null,
          failures ${int} not null,
          retry_at ${int},
          primary key (account_id, server_id)
        )`,
        `create index tool_server_health_by_server on tool_server_health (server_id)`,
      ]
    },
  },
  {
    id: 'tool-servers/0002-owner',
    up: ({ text }) => [
      `alter table tool_servers add column owner_id ${text} references accounts (id) on delete cascade`,
      'create index tool_servers_by_owner on tool_servers (owner_id)',
    ],
  },
]

export const toolServerSealed: readonly SealedColumn[] = [
  ...sealedColumns('tool_servers', ['document', 'tools'], { owner: 'owner_id' }),
  ...sealedColumns('tool_server_credentials', ['secret'], {
    key: ['account_id', 'server_id'],
    row: "account_id || '/' || server_id",
    owner: 'account_id',
  }),
]

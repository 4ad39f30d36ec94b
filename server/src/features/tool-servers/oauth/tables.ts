/** Sign-ins of accounts at tool servers, the clients that they are made with, and what waits for a browser to come back. */
import type { Migration } from '../../../platform/db/types.ts'
import { type SealedColumn, sealedColumns } from '../../../platform/vault/sealed-columns.ts'

/** Who Atrium is to the authorization servers of a tool server. */
export interface OAuthClientRow {
  id: string
  server_id: string
  /** `administrator`, or the blind index of the issuer that it was registered with. */
  name: string
  /** Sealed JSON. */
  content: Uint8Array
  created_at: number
}

export interface SignInRow {
  id: string
  account_id: string
  server_id: string
  /** Sealed JSON: tokens, the client and the issuer that they belong to, and what the server last refused. */
  content: Uint8Array
  signed_in: 0 | 1
  /** When the access token ends; null where nobody says. */
  expires_at: number | null
  /** Counts changes, so that what was replaced meanwhile is not written over. */
  version: number
  /** Until when a process refreshes it alone. */
  refreshing_until: number | null
}

/** A browser is on its way to an authorization server. */
export interface SignInFlowRow {
  /** SHA-256 of the state, hex. */
  state_digest: string
  /** SHA-256 of the cookie of the browser, hex. */
  browser_digest: string
  server_id: string
  account_id: string
  session_id: string
  /** Sealed JSON: code verifier, client, endpoints, and where to come back to. */
  secrets: Uint8Array
  expires_at: number
}

export interface ToolOAuthTables {
  tool_oauth_clients: OAuthClientRow
  tool_sign_ins: SignInRow
  tool_sign_in_flows: SignInFlowRow
}

export const toolOAuthMigrations: readonly Migration[] = [
  {
    id: 'tool-servers-oauth/0001-sign-ins',
    up: ({ text, int, bytes }) => [
      `create table tool_oauth_clients (
        id ${text} primary key,
        server_id ${text} not null references tool_servers (id) on delete cascade,
        name ${text} not null,
        content ${bytes} not null,
        created_at ${int} not null,
        unique (server_id, name)
      )`,
      `create table tool_sign_ins (
        id ${text} primary key,
        account_id ${text} not null references accounts (id) on delete cascade,
        server_id ${text} not null references tool_servers (id) on delete cascade,
        content ${bytes} not null,
        signed_in ${int} not null,
        expires_at ${int},
        version ${int} not null,
        refreshing_until ${int},
        unique (account_id, server_id)
      )`,
      'create index tool_sign_ins_server on tool_sign_ins (server_id)',
      `create table tool_sign_in_flows (
        state_digest ${text} primary key,
        browser_digest ${text} not null,
        server_id ${text} not null references tool_servers (id) on delete cascade,
        account_id ${text} not null references accounts (id) on delete cascade,
        session_id ${text} not null,
        secrets ${bytes} not null,
        expires_at ${int} not null
      )`,
      'create index tool_sign_in_flows_end on tool_sign_in_flows (expires_at)',
    ],
  },
]

export const toolOAuthSealed: readonly SealedColumn[] = [
  ...sealedColumns('tool_oauth_clients', ['content']),
  ...sealedColumns('tool_sign_ins', ['content'], { owner: 'account_id' }),
  ...sealedColumns('tool_sign_in_flows', ['secrets'], { key: ['state_digest'] }),
]

/** Sign-in providers, the sign-ins elsewhere that accounts are linked with, and what waits for a browser to come back. */
import type { ExternalProvider } from '@atrium/contract/sign-in-providers'
import type { Migration } from '../../../platform/db/types.ts'
import { type SealedColumn, sealedColumns } from '../../../platform/vault/sealed-columns.ts'

export interface IdentityProviderRow {
  /** What stands in addresses: `github`, or what an administrator wrote. */
  id: string
  kind: ExternalProvider['kind']
  /** Sealed JSON: everything but the secret. */
  settings: Uint8Array
  secret: Uint8Array | null
  enabled: 0 | 1
  created_at: number
  updated_at: number
}

export interface IdentityRow {
  id: string
  account_id: string
  provider_id: string
  /** Blind index of issuer and subject. */
  subject_index: string
  /** Sealed JSON: how the provider calls the person, and the last ID token, for signing out there. */
  claims: Uint8Array
  created_at: number
  last_used_at: number | null
}

/** The sessions of a provider that an identity signed in from: what its back-channel logout may name. */
export interface IdentitySessionRow {
  identity_id: string
  /** Blind index of issuer and `sid`. */
  sid_index: string
  seen_at: number
}

/** A browser is on its way to a provider. */
export interface AuthorizationFlowRow {
  /** SHA-256 of the state, hex. */
  state_digest: string
  /** SHA-256 of the cookie of the browser, hex. */
  browser_digest: string
  provider_id: string
  purpose: 'sign-in' | 'link' | 'trial'
  /** Who links or tries, and in which session. */
  account_id: string | null
  session_id: string | null
  /** Sealed JSON: nonce, code verifier, callback, where to go afterwards. */
  secrets: Uint8Array
  expires_at: number
}

/** It came back, and something waits for it: a session, a link, or the result of a trial. */
export interface FlowResultRow {
  id: string
  purpose: 'sign-in' | 'link' | 'trial'
  /** SHA-256 of the cookie that takes it, hex; null for a trial. */
  token_digest: string | null
  account_id: string
  provider_id: string
  /** Sealed JSON. */
  content: Uint8Array
  expires_at: number
}

/** A logout token that was taken, until it is too old to be taken anyway. */
export interface LogoutTokenRow {
  /** SHA-256 of issuer and `jti`, hex. */
  token_digest: string
  expires_at: number
}

export interface OAuthTables {
  identity_providers: IdentityProviderRow
  identities: IdentityRow
  identity_sessions: IdentitySessionRow
  external_flows: AuthorizationFlowRow
  external_arrivals: FlowResultRow
  logout_tokens: LogoutTokenRow
}

export const oauthMigrations: readonly Migration[] = [
  {
    id: 'accounts-external/0001-providers',
    up: ({ text, int, bytes }) => [
      `create table identity_providers (
        id ${text} primary key,
        kind ${text} not null check (kind in ('github', 'huggingface', 'oidc')),
        settings ${bytes} not null,
        secret ${bytes},
        enabled ${int} not null,
        created_at ${int} not null,
        updated_at ${int} not null
      )`,
      `create table identities (
        id ${text} primary key,
        account_id ${text} not null references accounts (id) on delete cascade,
        provider_id ${text} not null,
        subject_index ${text} not null,
        claims ${bytes} not null,
        created_at ${int} not null,
        last_used_at ${int},
        unique (provider_id, subject_index)
      )`,
      'create index identities_account on identities (account_id)',
      `create table identity_sessions (
        identity_id ${text} not null references identities (id) on delete cascade,
        sid_index ${text} not null,
        seen_at ${int} not null,
        primary key (sid_index, identity_id)
      )`,
      'create index identity_sessions_identity on identity_sessions (identity_id)',
      `create table external_flows (
        state_digest ${text} primary key,
        browser_digest ${text} not null,
        provider_id ${text} not null,
        purpose ${text} not null,
        account_id ${text} references accounts (id) on delete cascade,
        session_id ${text},
        secrets ${bytes} not null,
        expires_at ${int} not null
      )`,
      'create index external_flows_end on external_flows (expires_at)',
      `create table external_arrivals (
        id ${text} primary key,
        purpose ${text} not null,
        token_digest ${text} unique,
        account_id ${text} not null references accounts (id) on delete cascade,
        provider_id ${text} not null,
        content ${bytes} not null,
        expires_at ${int} not null
      )`,
      'create index external_arrivals_end on external_arrivals (expires_at)',
    ],
  },
  {
    id: 'accounts-external/0002-logout-tokens',
    up: ({ text, int }) => [
      `create table logout_tokens (
        token_digest ${text} primary key,
        expires_at ${int} not null
      )`,
      'create index logout_tokens_end on logout_tokens (expires_at)',
    ],
  },
]

export const oauthSealed: readonly SealedColumn[] = [
  ...sealedColumns('identity_providers', ['settings', 'secret']),
  ...sealedColumns('identities', ['claims'], { owner: 'account_id' }),
  ...sealedColumns('external_flows', ['secrets'], { key: ['state_digest'] }),
  ...sealedColumns('external_arrivals', ['content'], { owner: 'account_id' }),
]

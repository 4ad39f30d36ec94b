/** Connections of the instance, and what each account has of them. What people wrote, and keys, are sealed. */
import type { Migration } from '../../platform/db/types.ts'
import { type SealedColumn, sealedColumns } from '../../platform/vault/sealed-columns.ts'

export interface DefinitionRow {
  id: string
  /** The definition as JSON, sealed with the instance's key. */
  document: Uint8Array
  created_at: number
  updated_at: number
}

export interface ActivationRow {
  account_id: string
  connection_id: string
  activated_at: number
  /** 0: the account switched off what an administrator gave it. */
  active: number
}

export interface CredentialRow {
  account_id: string
  connection_id: string
  /** The key, sealed for the account. */
  secret: Uint8Array
  /** The route that it was saved for; it is used for no other. */
  route: string
  saved_at: number
}

export interface CatalogueRow {
  account_id: string
  connection_id: string
  /** The models found last, as JSON, sealed for the account; null when none were ever found. */
  models: Uint8Array | null
  route: string
  discovered_at: number | null
  /** The last look, whatever it found. */
  checked_at: number
  /** What it found, as JSON. */
  outcome: string
}

export interface InstanceValuesRow {
  connection_id: string
  /** Values of connection variables as JSON, sealed with the instance's key. */
  document: Uint8Array
  updated_at: number
}

export interface SharingRow {
  connection_id: string
  mode: string
  /** With `private`: whose it is; null once that account is gone. */
  owner_id: string | null
  /** With `groups`: their ids, as JSON. */
  group_ids: string
  shared_at: number
}

export interface SharedKeyRow {
  connection_id: string
  /** The key, sealed with the instance's key. */
  secret: Uint8Array
  /** The route that it was saved for; it is used for no other. */
  route: string
  saved_at: number
}

export interface ModelRequestRow {
  account_id: string
  requested_at: number
}

export interface OwnValuesRow {
  account_id: string
  connection_id: string
  /** Values of variables as JSON, sealed for the account. */
  document: Uint8Array
  updated_at: number
}

export interface ConnectionTables {
  connection_definitions: DefinitionRow
  connection_activations: ActivationRow
  connection_credentials: CredentialRow
  connection_catalogues: CatalogueRow
  connection_instance_values: InstanceValuesRow
  connection_values: OwnValuesRow
  connection_sharing: SharingRow
  connection_shared_keys: SharedKeyRow
  connection_model_requests: ModelRequestRow
}

/** Stands on the table of accounts, so its migrations come after theirs. */
export const connectionMigrations: readonly Migration[] = [
  {
    id: 'connections/0001-connections',
    up: ({ text, int, bytes }) => {
      const own = `
        account_id ${text} not null references accounts (id) on delete cascade,
        connection_id ${text} not null references connection_definitions (id) on delete cascade`
      return [
        `create table connection_definitions (
          id ${text} primary key,
          document ${bytes} not null,
          route ${text} not null,
          created_at ${int} not null,
          updated_at ${int} not null
        )`,
        `create table connection_activations (${own},
          activated_at ${int} not null,
          primary key (account_id, connection_id)
        )`,
        `create table connection_credentials (${own},
          secret ${bytes} not null,
          route ${text} not null,
          saved_at ${int} not null,
          primary key (account_id, connection_id)
        )`,
        `create table connection_catalogues (${own},
          models ${bytes},
          route ${text} not null,
          discovered_at ${int},
          checked_at ${int} not null,
          outcome ${text} not null,
          primary key (account_id, connection_id)
        )`,
        `create index connection_activations_connection on connection_activations (connection_id)`,
      ]
    },
  },
  {
    // Bundled definitions are in no table, so an account's rows cannot refer to one.
    id: 'connections/0002-definitions-that-come-with-atrium',
    up: ({ text, int, bytes }) => {
      const own = `
        account_id ${text} not null references accounts (id) on delete cascade,
        connection_id ${text} not null`
      const again = (table: string, columns: string) => [
        `create table ${table}_again (${own}, ${columns}, primary key (account_id, connection_id))`,
        `insert into ${table}_again select * from ${table}`,
        `drop table ${table}`,
        `alter table ${table}_again rename to ${table}`,
        `create index ${table}_by_connection on ${table} (connection_id)`,
      ]
      return [
        ...again('connection_activations', `activated_at ${int} not null`),
        ...again(
          'connection_credentials',
          `secret ${bytes} not null, route ${text} not null, saved_at ${int} not null`,
        ),
        ...again(
          'connection_catalogues',
          `models ${bytes}, route ${text} not null, discovered_at ${int}, checked_at ${int} not null, outcome ${text} not null`,
        ),
        `alter table connection_definitions drop column route`,
        `create table connection_instance_values (
          connection_id ${text} primary key,
          document ${bytes} not null,
          updated_at ${int} not null
        )`,
        `create table connection_values (${own},
          document ${bytes} not null,
          updated_at ${int} not null,
          primary key (account_id, connection_id)
        )`,
        `create index connection_values_by_connection on connection_values (connection_id)`,
      ]
    },
  },
  {
    id: 'connections/0003-sharing',
    up: ({ text, int, bytes }) => [
      `alter table connection_activations add column active ${int} not null default 1`,
      `create table connection_sharing (
        connection_id ${text} primary key,
        mode ${text} not null,
        owner_id ${text} references accounts (id) on delete set null,
        group_ids ${text} not null,
        shared_at ${int} not null
      )`,
      `create index connection_sharing_by_owner on connection_sharing (owner_id)`,
      `create table connection_shared_keys (
        connection_id ${text} primary key,
        secret ${bytes} not null,
        route ${text} not null,
        saved_at ${int} not null
      )`,
    ],
  },
  {
    id: 'connections/0004-model-requests',
    up: ({ text, int }) => [
      `create table connection_model_requests (
        account_id ${text} primary key references accounts (id) on delete cascade,
        requested_at ${int} not null
      )`,
    ],
  },
]

const ownRows = {
  key: ['account_id', 'connection_id'],
  row: "account_id || '/' || connection_id",
  owner: 'account_id',
}

export const connectionSealed: readonly SealedColumn[] = [
  ...sealedColumns('connection_definitions', ['document']),
  ...sealedColumns('connection_credentials', ['secret'], ownRows),
  ...sealedColumns('connection_catalogues', ['models'], ownRows),
  ...sealedColumns('connection_values', ['document'], ownRows),
  ...sealedColumns('connection_instance_values', ['document'], { key: ['connection_id'] }),
  ...sealedColumns('connection_shared_keys', ['secret'], { key: ['connection_id'] }),
]

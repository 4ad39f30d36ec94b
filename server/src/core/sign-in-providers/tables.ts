/** The schema of the area: providers and linked sign-ins, then the ids by which directories know accounts. */
import type { Migration } from '../../platform/db/types.ts'
import type { SealedColumn } from '../../platform/vault/sealed-columns.ts'
import { oauthMigrations, oauthSealed } from './oauth/tables.ts'
import { directoryIdMigrations, directoryIdSealed } from './provisioning/tables.ts'

export const signInProviderMigrations: readonly Migration[] = [...oauthMigrations, ...directoryIdMigrations]

export const signInProviderSealed: readonly SealedColumn[] = [...oauthSealed, ...directoryIdSealed]

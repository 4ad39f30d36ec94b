/** The schema of the area: providers and linked sign-ins, then the ids by which directories know accounts. */
import type { Migration } from '../../platform/db/types.ts'
import { oauthMigrations } from './oauth/tables.ts'
import { directoryIdMigrations } from './provisioning/tables.ts'

export const signInProviderMigrations: readonly Migration[] = [...oauthMigrations, ...directoryIdMigrations]

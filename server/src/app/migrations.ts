/** Every step of the schema, in the order in which areas stand on each other. */
import { accessMigrations } from '../core/access/index.ts'
import { accountMigrations } from '../core/accounts/index.ts'
import { apiTokenMigrations } from '../core/api-tokens/index.ts'
import { connectionMigrations } from '../core/connections/index.ts'
import { documentMigrations } from '../core/documents/index.ts'
import { groupMigrations } from '../core/groups/index.ts'
import { generationMigrations } from '../core/generation/index.ts'
import { mailMigrations } from '../core/mail/index.ts'
import { settingsMigrations } from '../core/settings/index.ts'
import { signInProviderMigrations } from '../core/sign-in-providers/index.ts'
import { usageMigrations } from '../core/usage/index.ts'
import { accountDataMigrations } from '../features/account-data/index.ts'
import { chatMigrations } from '../features/chat/index.ts'
import { localRuntimeMigrations } from '../features/local-runtime/index.ts'
import { publicApiMigrations } from '../features/public-api/index.ts'
import { scimMigrations } from '../features/scim/index.ts'
import { auditMigrations } from '../platform/audit/index.ts'
import type { Migration } from '../platform/db/index.ts'
import { searchMigrations } from '../platform/db/search/index.ts'
import { eventMigrations } from '../platform/events/tables.ts'
import { fileMigrations } from '../platform/files/tables.ts'
import { jobMigrations } from '../platform/jobs/tables.ts'
import { vaultMigrations } from '../platform/vault/tables.ts'

export const migrations: readonly Migration[] = [
  ...vaultMigrations,
  ...eventMigrations,
  ...fileMigrations,
  ...jobMigrations,
  ...auditMigrations,
  ...searchMigrations,
  ...accountMigrations,
  ...groupMigrations,
  ...signInProviderMigrations,
  ...apiTokenMigrations,
  ...settingsMigrations,
  ...mailMigrations,
  ...accessMigrations,
  ...connectionMigrations,
  ...usageMigrations,
  ...documentMigrations,
  ...generationMigrations,
  ...chatMigrations,
  ...accountDataMigrations,
  ...publicApiMigrations,
  ...scimMigrations,
  ...localRuntimeMigrations,
]

/** Accounts for tests that stand below the whole app: real ones, with everything that a test does not speak of in place. */
import { type AccountDeps, type Accounts, accountMigrations, createAccounts } from '../core/accounts/index.ts'
import { auditMigrations, createAudit } from '../platform/audit/index.ts'
import type { Migration } from '../platform/db/index.ts'
import { createLog } from '../platform/log/log.ts'
import { vaultMigrations } from '../platform/vault/tables.ts'

/** The tables that accounts need. */
export const testAccountMigrations: readonly Migration[] = [
  ...vaultMigrations,
  ...auditMigrations,
  ...accountMigrations,
]

type Needed = 'database' | 'vault' | 'clock'

export const createTestAccounts = (deps: Pick<AccountDeps, Needed> & Partial<AccountDeps>): Accounts =>
  createAccounts({
    log: createLog({ level: 'silent' }),
    audit: createAudit(deps),
    version: '1',
    sessionDays: 30,
    signupEnabled: async () => true,
    announce: async () => undefined,
    ...deps,
  })

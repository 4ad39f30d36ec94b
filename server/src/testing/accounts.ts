/** Accounts for tests that stand below the whole app: real ones, with everything that a test does not speak of in place. */
import {
  type AccountDeps,
  type Accounts,
  accountMigrations,
  createAccounts,
  type PasswordCosts,
} from '../core/accounts/index.ts'
import { auditMigrations, createAudit } from '../platform/audit/index.ts'
import type { Migration } from '../platform/db/index.ts'
import { createLog } from '../platform/log/log.ts'
import { keyCardOf } from '../platform/vault/instance-key.ts'
import { createOutbound } from '../platform/outbound/outbound.ts'
import { vaultMigrations } from '../platform/vault/tables.ts'

/** Hashes in half a millisecond: most tests are about something else than guessing. */
export const quickHashes: PasswordCosts = { memory: 256, passes: 1, parallelism: 1 }

/** The tables that accounts need. */
export const testAccountMigrations: readonly Migration[] = [
  ...vaultMigrations,
  ...auditMigrations,
  ...accountMigrations,
]

/** Settings in memory, as one process keeps them. */
export const testDocuments = (): AccountDeps['document'] => {
  const saved = new Map<string, unknown>()
  return (name, form) => {
    const parse = (value: unknown) => form.safeParse(value).data ?? form.parse({})
    return {
      read: async () => parse(saved.get(name)),
      async change(change) {
        saved.set(name, change(parse(saved.get(name))))
        return parse(saved.get(name))
      },
    }
  }
}

type Needed = 'database' | 'vault' | 'clock'

export const createTestAccounts = (deps: Pick<AccountDeps, Needed> & Partial<AccountDeps>): Accounts =>
  createAccounts({
    log: createLog({ level: 'silent' }),
    audit: createAudit(deps),
    version: '1',
    passwordCosts: quickHashes,
    document: testDocuments(),
    external: {
      environment: [],
      outbound: createOutbound({ allowed: () => new Set(), log: createLog({ level: 'silent' }) }),
      allowedAddresses: async () => new Set(),
      allowAddress: async () => ({ write: async () => undefined, written: async () => undefined }),
    },
    instanceKey: keyCardOf({ key: Buffer.alloc(32, 7), source: 'file' }),
    signupEnabled: async () => true,
    announce: async () => undefined,
    mail: { available: async () => false, address: async () => null, send: async () => undefined },
    languageOf: async () => undefined,
    enqueue: async () => undefined,
    tokenBudgets: { of: async () => new Map(), set: async () => undefined },
    ...deps,
  })

/** Accounts for tests that stand below the whole app, with groups, sign-in providers and API tokens: real ones. */
import { accountsRoutes } from '@atrium/contract/accounts'
import { apiTokensRoutes } from '@atrium/contract/api-tokens'
import { groupsRoutes } from '@atrium/contract/groups'
import { usualTheme } from '@atrium/contract/settings'
import { signInProvidersRoutes } from '@atrium/contract/sign-in-providers'
import {
  type AccountOptions,
  accountMigrations,
  accountSettings,
  createAccounts,
  type PasswordCosts,
} from '../core/accounts/index.ts'
import { apiTokenMigrations, createApiTokensArea, type TokenBudgets } from '../core/api-tokens/index.ts'
import { createGroupsArea, groupMigrations } from '../core/groups/index.ts'
import { createSignInProviders, type OAuthOptions, signInProviderMigrations } from '../core/sign-in-providers/index.ts'
import { auditMigrations, createAudit } from '../platform/audit/index.ts'
import type { Migration } from '../platform/db/index.ts'
import { bindRoutes } from '../platform/http/area.ts'
import { createLog } from '../platform/log/log.ts'
import { createOutbound } from '../platform/outbound/outbound.ts'
import type { Environment, SavedSettings } from '../platform/settings/index.ts'
import { keyCardOf } from '../platform/vault/instance-key.ts'
import { vaultMigrations } from '../platform/vault/tables.ts'
import { settingsInMemory } from './settings.ts'

/** Hashes in half a millisecond: most tests are about something else than guessing. */
export const quickHashes: PasswordCosts = { memory: 256, passes: 1, parallelism: 1 }

/** The tables that accounts need. */
export const testAccountMigrations: readonly Migration[] = [
  ...vaultMigrations,
  ...auditMigrations,
  ...accountMigrations,
  ...groupMigrations,
  ...signInProviderMigrations,
  ...apiTokenMigrations,
]

type Needed = 'database' | 'vault' | 'clock'
export type TestAccountDeps = Pick<AccountOptions, Needed> &
  Partial<Omit<AccountOptions, 'saved' | 'settings'>> & {
    saved?: SavedSettings
    environment?: Environment
    oauth?: OAuthOptions
    tokenBudgets?: TokenBudgets
  }
export type TestAccounts = ReturnType<typeof createTestAccounts>

export const createTestAccounts = ({ environment, oauth, tokenBudgets, ...given }: TestAccountDeps) => {
  const saved = given.saved ?? settingsInMemory(given, environment)
  const deps: AccountOptions = {
    log: createLog({ level: 'silent' }),
    audit: createAudit(given),
    version: '1',
    passwordCosts: quickHashes,
    saved,
    settings: saved.bind(accountSettings),
    instanceKey: keyCardOf({ key: Buffer.alloc(32, 7), source: 'file' }),
    signupEnabled: async () => true,
    defaultTheme: async () => usualTheme,
    announce: async () => undefined,
    notify: async () => undefined,
    mail: {
      available: async () => false,
      address: async () => null,
      workspaceName: async () => 'Atrium',
      send: async () => undefined,
    },
    languageOf: async () => undefined,
    timeZoneOf: async () => undefined,
    enqueue: async () => undefined,
    ...given,
  }
  const accounts = createAccounts(deps)
  const groups = createGroupsArea({ ...deps, accounts })
  const signInProviders = createSignInProviders({
    ...deps,
    oauth: oauth ?? {
      environment: [],
      outbound: createOutbound({ allowed: () => new Set(), log: createLog({ level: 'silent' }) }),
      allowedAddresses: async () => new Set(),
      allowAddress: async () => ({ write: async () => undefined, written: async () => undefined }),
    },
    accounts,
    groups,
  })
  const apiTokens = createApiTokensArea({ ...deps, accounts })
  if (tokenBudgets) apiTokens.registerBudgets(tokenBudgets)
  return {
    ...accounts,
    groups,
    signInProviders,
    apiTokens,
    areas: [
      bindRoutes({ name: 'authentication', routes: accountsRoutes, handlers: accounts.handlers, jobs: accounts.jobs }),
      bindRoutes({ name: 'authentication', routes: signInProvidersRoutes, handlers: signInProviders.handlers }),
      bindRoutes({ name: 'authentication', routes: apiTokensRoutes, handlers: apiTokens.handlers }),
      bindRoutes({ name: 'user-administration', routes: groupsRoutes, handlers: groups.handlers }),
    ],
    close() {
      groups.close()
      accounts.close()
    },
  }
}

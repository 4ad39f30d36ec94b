/**
 * API tokens: what people give to programs so that they may act for them, within scopes and budgets. A token is never
 * more than its account is now. It keeps no token, only digests of them.
 */
import type { TokenBudget } from '@atrium/contract/api-tokens'
import type { Audit } from '../../platform/audit/index.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Accounts } from '../accounts/index.ts'
import { apiTokenHandlers } from './routes.ts'
import { createApiTokenStore } from './store.ts'
import { createApiTokens, type TokenBudgets } from './tokens.ts'

export type { TokenBudgets } from './tokens.ts'
export { type ApiTokenTables, apiTokenMigrations, apiTokenSealed } from './tables.ts'

export interface ApiTokensDeps extends Pick<Platform, 'clock' | 'database' | 'log' | 'vault'> {
  readonly audit: Audit
  readonly accounts: Pick<Accounts, 'cacheByToken' | 'publishRevocation' | 'expiresAt' | 'registerCredentials'>
}

export const createApiTokensArea = (deps: ApiTokensDeps) => {
  const { accounts } = deps
  const store = createApiTokenStore(deps)
  const budgets: TokenBudgets[] = []
  const tokens = createApiTokens({
    ...deps,
    store,
    budgets: {
      of: async (tokenIds) => (await budgets[0]?.of(tokenIds)) ?? new Map<string, TokenBudget>(),
      set: async (token, budget) => await budgets[0]?.set(token, budget),
    },
  })
  accounts.registerCredentials({
    lastUsedAt: store.lastUsedAt,
    liveIds: store.openIds,
    revokeAll: store.revokeAll,
    revoked: tokens.revoked,
  })

  return {
    handlers: apiTokenHandlers({ ...deps, tokens }),
    /** Whom an API token stands for; null for nobody. Its prefix is its own, so it can be asked about any text. */
    authenticate: tokens.authenticate,
    /** What its owner calls an API token, and whose it is; null when there is none, or it is revoked. */
    owner: store.owner,
    /** The API tokens of an account, newest first. Refuses with `bad_cursor`. */
    page: tokens.page,
    /** At once and for good. Refuses with `token_not_found`. */
    revoke: tokens.revoke,
    /** How many tokens of an account nobody revoked. */
    countOf: async (accountId: string) => ({ tokens: (await store.openIds(accountId)).length }),
    /** Says where spending is counted. */
    registerBudgets: (kept: TokenBudgets): void => void budgets.unshift(kept),
  }
}
export type ApiTokensArea = ReturnType<typeof createApiTokensArea>

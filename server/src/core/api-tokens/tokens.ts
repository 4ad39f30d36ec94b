/** API tokens: made, recognised, changed, revoked. A revoked token is gone at once, everywhere, as a session is. */
import { randomBytes } from 'node:crypto'
import type { ApiToken, TokenBudget } from '@atrium/contract/api-tokens'
import type { Audit } from '../../platform/audit/index.ts'
import type { Clock } from '../../platform/clock.ts'
import type { AnyTransaction } from '../../platform/db/types.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Log } from '../../platform/log/log.ts'
import { type Accounts, type AuditActor, type AuthenticatedCaller, digestOf } from '../accounts/index.ts'
import { apiTokenPrefix, isApiTokenShaped, shownPrefixLength } from './rules.ts'
import type { NewToken, TokenChange, TokenRecord, ApiTokenStore } from './store.ts'

/** Kept where spending is counted. */
export interface TokenBudgets {
  /** By token; those without are left out. */
  of(tokenIds: readonly string[]): Promise<ReadonlyMap<string, TokenBudget>>
  /** null takes it away. `label`: what the budget is called, in the open. */
  set(token: { readonly id: string; readonly label: string }, budget: TokenBudget | null): Promise<void>
}

/** How often the time of last use is written. */
const touchMs = 60_000

export interface ApiTokens {
  /** Makes a token and gives it, this once. Refuses with `token_limit`. */
  create(
    accountId: string,
    request: Pick<NewToken, 'name' | 'scopes' | 'models' | 'ratePerMinute'> & {
      expiresInDays: number | null
      budget: TokenBudget | null
    },
  ): Promise<{ token: string; record: ApiToken }>
  /** Refuses with `token_not_found`. What may be done less stops at once. */
  update(
    accountId: string,
    tokenId: string,
    change: TokenChange & { budget?: TokenBudget | null | undefined },
  ): Promise<ApiToken>
  /** Newest first. Refuses with `bad_cursor`. */
  page(
    accountId: string,
    limit: number,
    cursor: string | undefined,
  ): Promise<{ items: ApiToken[]; nextCursor: string | null }>
  /** Refuses with `token_not_found`. `record` runs in the same transaction. */
  revoke(accountId: string, tokenId: string, record: (trx: AnyTransaction) => Promise<void>): Promise<void>
  /** Finishes what the revocation of these within a transaction began, and writes each down. */
  revoked(tokenIds: readonly string[], actor: AuditActor): Promise<void>
  /** Whom this token stands for; null for nobody. Refuses accounts that wait or are disabled. */
  authenticate(token: string): Promise<AuthenticatedCaller | null>
}

const dayMs = 24 * 3600_000

export const createApiTokens = (deps: {
  store: ApiTokenStore
  clock: Clock
  log: Log
  budgets: TokenBudgets
  audit: Audit
  accounts: Pick<Accounts, 'cacheByToken' | 'publishRevocation' | 'expiresAt'>
}): ApiTokens => {
  const { store, accounts, clock, log, budgets, audit } = deps
  const findByToken = accounts.cacheByToken(store.byDigest)

  const withBudgets = async (records: readonly TokenRecord[]): Promise<ApiToken[]> => {
    const found = await budgets.of(records.map(({ id }) => id))
    return records.map((record) => ({ ...record, budget: found.get(record.id) ?? null }))
  }
  // Names of tokens are sealed, and what budgets are called is not.
  const setBudget = ({ id, prefix }: { id: string; prefix: string }, budget: TokenBudget | null): Promise<void> =>
    budgets.set({ id, label: `Token ${prefix}…` }, budget)

  /** What tokens that are gone could spend is of no use any more, and of no harm: what failed here has not failed. */
  const dropBudgets = async (tokenIds: readonly string[]): Promise<void> => {
    for (const id of tokenIds)
      await setBudget({ id, prefix: '' }, null).catch((error: unknown) =>
        log.warn('the budget of a token that is gone could not be removed', { error, tokenId: id }),
      )
  }

  return {
    async create(accountId, { expiresInDays, budget, ...request }) {
      const token = `${apiTokenPrefix}${randomBytes(32).toString('base64url')}`
      const now = clock.now()
      const [id, prefix] = [clock.id(), token.slice(0, shownPrefixLength)]
      // It holds before there is a token that could spend.
      if (budget) await setBudget({ id, prefix }, budget)
      const expiresAt = expiresInDays === null ? null : now + expiresInDays * dayMs
      const made = await store
        .insert({ ...request, id, prefix, accountId, digest: digestOf(token), createdAt: now, expiresAt })
        .catch(async (error: unknown) => {
          await setBudget({ id, prefix }, null)
          throw error
        })
      await dropBudgets(made.dropped)
      const [record = { ...made.record, budget }] = await withBudgets([made.record])
      return { token, record }
    },

    async page(accountId, limit, cursor) {
      const { items, nextCursor } = await store.page(accountId, limit, cursor, clock.now())
      return { items: await withBudgets(items), nextCursor }
    },

    async update(accountId, tokenId, { budget, ...change }) {
      const updated = await store.update(accountId, tokenId, change, clock.now())
      if (!updated) throw fail('token_not_found')
      if (budget !== undefined) await setBudget({ id: tokenId, prefix: updated.tokenPrefix }, budget)
      const [record = { ...updated, budget: budget ?? null }] = await withBudgets([updated])
      const isNarrowed = change.scopes !== undefined || change.models !== undefined
      // Streams that are open under the old terms have to come again.
      await accounts.publishRevocation(accountId, isNarrowed ? [tokenId] : [])
      return record
    },

    async revoke(accountId, tokenId, record) {
      if (!(await store.revoke(accountId, tokenId, clock.now(), record))) throw fail('token_not_found')
      await accounts.publishRevocation(accountId, [tokenId])
      await dropBudgets([tokenId])
    },

    async revoked(tokenIds, actor) {
      for (const id of tokenIds) {
        const details = { reason: 'new-password' }
        await audit.record({ ...actor, action: 'token.revoke', target: { type: 'token', id }, details })
      }
      await dropBudgets(tokenIds)
    },

    async authenticate(token) {
      if (!isApiTokenShaped(token)) return null
      const holder = await findByToken(token)
      if (!holder) return null
      const now = clock.now()
      if (holder.revokedAt !== null || (holder.expiresAt !== null && holder.expiresAt <= now)) return null
      if (holder.status === 'disabled') throw fail('account_disabled')
      if (holder.status === 'pending') throw fail('account_pending')
      const { accountId, role, token: limits } = holder
      if (holder.expiresAt !== null) accounts.expiresAt(limits.id, holder.expiresAt)
      if (holder.lastUsedAt === null || now - holder.lastUsedAt >= touchMs) {
        holder.lastUsedAt = now
        void store
          .touch(limits.id, now, touchMs)
          .catch((error: unknown) => log.warn('the time of last use could not be stored', { error }))
      }
      return { accountId, sessionId: limits.id, role, token: limits }
    },
  }
}

/** API tokens: what programs show instead of a session. */
import { area } from '../area.ts'
import { apiTokensDescription } from './area.ts'
import { z } from 'zod'
import { Id, Money, Nothing, PageQuery, Time, page } from '../common.ts'
import { routes } from '../route.ts'
import { scopes } from '../scopes.ts'
import { BudgetPeriod } from '../usage/index.ts'

/**
 * What a token may spend at most in each period, in the currency of the instance. Its owner sets it; every other budget
 * that its calls count on holds beside it.
 */
export const TokenBudget = z.strictObject({
  amount: Money.refine((amount) => /[1-9]/.test(amount), 'must be greater than zero'),
  period: BudgetPeriod,
})
export type TokenBudget = z.infer<typeof TokenBudget>

/** A token for programs. The token itself is shown once, when it is made. */
export const ApiToken = z.strictObject({
  id: Id,
  name: z.string(),
  /** The first twelve characters, to tell tokens apart. */
  tokenPrefix: z.string(),
  scopes: z.array(z.enum(scopes)),
  /** The models it may use on `/v1`, as raw or qualified ids; null for all. */
  models: z.array(z.string()).nullable(),
  ratePerMinute: z.number().int(),
  /** As its owner set it; null: none but those of others. */
  budget: TokenBudget.nullable(),
  createdAt: Time,
  expiresAt: Time.nullable(),
  lastUsedAt: Time.nullable(),
  revokedAt: Time.nullable(),
})
export type ApiToken = z.infer<typeof ApiToken>

const tokenName = z.string().trim().min(1).max(128)
const tokenScopes = z.array(z.enum(scopes)).min(1).max(scopes.length)
const tokenModels = z.array(z.string().trim().min(1).max(401)).min(1).max(200).nullable()
const ratePerMinute = z.number().int().min(1).max(10_000_000)

export const apiTokensRoutes = routes({
  tokens: {
    method: 'get',
    path: '/api/auth/tokens',
    access: 'user',
    summary: 'List your API tokens, newest first. Ended ones stay listed for 30 days',
    query: PageQuery,
    returns: page(ApiToken),
    errors: ['bad_cursor'],
  },
  createToken: {
    method: 'post',
    path: '/api/auth/tokens',
    access: 'user',
    proof: true,
    audit: 'token.create',
    limit: 'account',
    noStore: true,
    summary: 'Create an API token. The token itself is returned only this once',
    body: z.strictObject({
      name: tokenName,
      scopes: tokenScopes,
      /** null or absent: it does not expire. */
      expiresInDays: z.number().int().min(1).max(3650).nullable().optional(),
      models: tokenModels.optional(),
      ratePerMinute: ratePerMinute.default(600),
      budget: TokenBudget.nullable().optional(),
    }),
    returns: z.strictObject({ token: z.string(), record: ApiToken }),
    errors: ['forbidden', 'token_limit'],
  },
  updateToken: {
    method: 'patch',
    path: '/api/auth/tokens/{id}',
    access: 'user',
    proof: true,
    names: 'own',
    audit: 'token.update',
    limit: 'account',
    summary: 'Rename an API token, or change its scopes',
    params: z.strictObject({ id: Id }),
    body: z.strictObject({
      name: tokenName.optional(),
      scopes: tokenScopes.optional(),
      models: tokenModels.optional(),
      ratePerMinute: ratePerMinute.optional(),
      budget: TokenBudget.nullable().optional(),
    }),
    returns: ApiToken,
    errors: ['token_not_found', 'forbidden'],
  },
  revokeToken: {
    method: 'delete',
    path: '/api/auth/tokens/{id}',
    access: 'user',
    names: 'own',
    audit: 'token.revoke',
    summary: 'Revoke an API token, at once and permanently',
    params: z.strictObject({ id: Id }),
    returns: Nothing,
    errors: ['token_not_found'],
  },
})

export const apiTokensArea = area(apiTokensDescription, {
  routes: apiTokensRoutes,
  shapes: { ApiToken, TokenBudget },
})

/** What people do with their own API tokens. */

import type { apiTokensRoutes } from '@atrium/contract/api-tokens'
import { actorOf } from '../../platform/audit/index.ts'
import type { Caller, Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { Audit } from '../../platform/audit/index.ts'
import type { ApiTokens } from './tokens.ts'

type Names = 'tokens' | 'createToken' | 'updateToken' | 'revokeToken'

export const apiTokenHandlers = ({
  tokens,
  audit,
}: {
  tokens: ApiTokens
  audit: Audit
}): Pick<Handlers<typeof apiTokensRoutes>, Names> => ({
  tokens: ({ query }, { caller }) => tokens.page(caller.accountId, query.limit, query.cursor),

  async createToken({ body }, { caller }) {
    requireRole(caller, body.scopes)
    const { expiresInDays = null, models = null, budget = null, ...request } = body
    return await tokens.create(caller.accountId, { ...request, models, expiresInDays, budget })
  },

  async updateToken({ params, body }, { caller }) {
    requireRole(caller, body.scopes)
    return await tokens.update(caller.accountId, params.id, body)
  },

  async revokeToken({ params }, context) {
    const target = { type: 'token', id: params.id }
    await tokens.revoke(context.caller.accountId, params.id, async (trx) => {
      await audit.recordIn(trx, { ...actorOf(context), action: 'token.revoke', target })
      context.auditedHere()
    })
    return {}
  },
})

/** The scope `admin` is for administrators; it would do nothing for others, and wait for the day they become one. */
const requireRole = (caller: Caller, scopes: readonly string[] | undefined): void => {
  if (scopes?.includes('admin') && caller.role !== 'admin')
    throw fail('forbidden', 'Only administrators can create tokens with the scope `admin`.')
}

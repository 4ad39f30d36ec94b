/** Credentials of an account, for administrators: resets one-time codes; lists and ends sessions and API tokens. */

import type { accountRoutes } from '@atrium/contract/user-administration'
import { actorOf, recordRefusal } from '../../platform/audit/index.ts'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { UserAdministrationContext } from './context.ts'

type Names = 'resetMfa' | 'sessions' | 'endSession' | 'tokens' | 'revokeToken'

export const credentialHandlers = (areas: UserAdministrationContext): Pick<Handlers<typeof accountRoutes>, Names> => {
  const { accounts, apiTokens, audit } = areas
  const { administration } = accounts
  return {
    async resetMfa({ params: { id } }, context) {
      const entry = { ...actorOf(context), action: 'user.mfa-reset' as const, target: { type: 'account', id } }
      await recordRefusal(audit, entry, async () => {
        // The own codes cost a code: an open session must not get past them by its role.
        if (id === context.caller.accountId) throw fail('own_account')
        await administration.find(id)
        await accounts.resetSecondFactor(id, actorOf(context))
      })
      return {}
    },
    async sessions({ params }, context) {
      return { items: await administration.sessions(params.id, context), nextCursor: null }
    },
    async endSession({ params: { id, sessionId } }, context) {
      const entry = {
        ...actorOf(context),
        action: 'session.revoke' as const,
        target: { type: 'session', id: sessionId },
        details: { accountId: id },
      }
      await recordRefusal(audit, entry, async () => {
        await administration.find(id)
        await administration.endSession(id, sessionId, context)
      })
      return {}
    },
    async tokens({ params: { id }, query }) {
      await administration.find(id)
      return await apiTokens.page(id, query.limit, query.cursor)
    },
    async revokeToken({ params: { id, tokenId } }, context) {
      const entry = {
        ...actorOf(context),
        action: 'token.revoke' as const,
        target: { type: 'token', id: tokenId },
        details: { accountId: id },
      }
      await recordRefusal(audit, entry, async () => {
        await administration.find(id)
        await apiTokens.revoke(id, tokenId, (trx) => audit.recordIn(trx, entry))
      })
      return {}
    },
  }
}

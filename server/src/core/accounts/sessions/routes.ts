/** Where an account is signed in, and how long sessions last. */

import type { accountsRoutes } from '@atrium/contract/accounts'
import { actorOf } from '../../../platform/audit/index.ts'
import type { Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { AccountContext } from '../context.ts'

type Names = 'sessions' | 'revokeOthers' | 'revokeSession' | 'sessionPolicy' | 'updateSessionPolicy'

export const sessionHandlers = (parts: AccountContext): Pick<Handlers<typeof accountsRoutes>, Names> => {
  const { sessions, sessionStore, policy, revocations, clock, audit } = parts
  const announceEnd = (accountId: string) => parts.announce(accountId, { type: 'session-ended', data: {} })

  return {
    async sessions(_input, { caller }) {
      const lifetimes = await policy.lifetimes()
      const items = await sessionStore.list(caller.accountId, caller.sessionId, clock.now(), lifetimes)
      return { items, nextCursor: null }
    },

    async revokeOthers(_input, context) {
      const { caller } = context
      const revokedCount = await sessions.end(caller.accountId, { but: caller.sessionId })
      await audit.record({ ...actorOf(context), action: 'session.revoke-others', details: { count: revokedCount } })
      if (revokedCount > 0) await announceEnd(caller.accountId)
      return { revokedCount }
    },

    async revokeSession({ params }, context) {
      const { caller } = context
      if (!(await sessionStore.exists(caller.accountId, params.id))) throw fail('session_not_found')
      const count = await sessions.end(caller.accountId, { only: params.id })
      if (count > 0) {
        const target = { type: 'session', id: params.id }
        await audit.record({ ...actorOf(context), action: 'session.revoke', target })
        await announceEnd(caller.accountId)
      }
      return {}
    },

    sessionPolicy: () => policy.read(),

    async updateSessionPolicy({ body }, context) {
      const changed = await policy.change(body)
      // Sessions that are over now are found out when they next show themselves; open streams have to do so at once.
      await revocations.publishAll()
      await audit.record({
        ...actorOf(context),
        action: 'setting.change',
        target: { type: 'setting', id: 'session-policy' },
        details: { lifetimeDays: changed.lifetimeDays.value, idleHours: changed.idleHours.value },
      })
      return changed
    },
  }
}

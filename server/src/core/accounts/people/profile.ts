/** What people do to their own account: profile, password, sessions. */
import type { authentication } from '@atrium/contract/authentication'
import { fail } from '../../../platform/http/refusal.ts'
import type { Handlers } from '../../../platform/http/area.ts'
import { hashPassword, verifyPassword } from '../password.ts'
import { requireStrong } from '../sign-in/sign-in.ts'
import type { AccountParts } from '../types.ts'

type Names = 'me' | 'verify' | 'updateMe' | 'changePassword' | 'sessions' | 'revokeOthers' | 'revokeSession'

export const profileHandlers = (parts: AccountParts): Pick<Handlers<typeof authentication>, Names> => {
  const { store, sessions, sessionList, endings, clock } = parts
  const ownUser = async (accountId: string) => {
    const user = await store.user(accountId)
    if (!user) throw fail('unauthenticated')
    return user
  }
  const announceEnd = (accountId: string) => parts.announce(accountId, { type: 'session-ended', data: {} })

  return {
    me: (_input, { caller }) => ownUser(caller.accountId),
    verify: (_input, { caller }) => ownUser(caller.accountId),

    async updateMe({ body }, { caller }) {
      const displayName = body.displayName === '' ? null : body.displayName
      const user = await store.update(caller.accountId, { ...body, displayName }, clock.now())
      if (!user) throw fail('unauthenticated')
      return user
    },

    async changePassword({ body }, { caller }) {
      const { accountId, sessionId } = caller
      const user = await ownUser(accountId)
      const isRight = await verifyPassword(body.currentPassword, await store.credential(accountId))
      if (!isRight) throw fail('wrong_password')
      requireStrong(body.newPassword, [user.username, user.email])
      const credential = await hashPassword(body.newPassword)
      const now = clock.now()
      const ended = await store.setCredential(accountId, credential, now, (trx) =>
        sessionList.end(trx, accountId, { but: sessionId }, now),
      )
      await endings.tell(accountId, ended)
      await announceEnd(accountId)
      return {}
    },

    async sessions(_input, { caller }) {
      return { items: await sessionList.list(caller.accountId, caller.sessionId, clock.now()), nextCursor: null }
    },

    async revokeOthers(_input, { caller }) {
      const revokedCount = await sessions.end(caller.accountId, { but: caller.sessionId })
      if (revokedCount > 0) await announceEnd(caller.accountId)
      return { revokedCount }
    },

    async revokeSession({ params }, { caller }) {
      if (!(await sessionList.exists(caller.accountId, params.id))) throw fail('session_not_found')
      const count = await sessions.end(caller.accountId, { only: params.id })
      if (count > 0) await announceEnd(caller.accountId)
      return {}
    },
  }
}

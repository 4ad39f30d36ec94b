/** What people do to their own account: profile and password. */

import type { accountsRoutes } from '@atrium/contract/accounts'
import { actorOf } from '../../../platform/audit/index.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { Handlers } from '../../../platform/http/area.ts'
import { noPassword } from '../password/hashing.ts'
import type { OneTimeLinks } from '../one-time-links/index.ts'
import { requireStrong } from '../password/strength.ts'
import { requireOneScript } from './username-store.ts'
import type { AccountContext } from '../context.ts'

type Names = 'me' | 'verify' | 'updateMe' | 'changePassword'

export const profileHandlers = (
  parts: AccountContext,
  { emailChange, notices, endResets }: Pick<OneTimeLinks, 'emailChange' | 'notices' | 'endResets'>,
): Pick<Handlers<typeof accountsRoutes>, Names> => {
  const { store, sessionStore, revocations, extensions, clock } = parts
  const ownUser = async (accountId: string) => {
    const user = await store.user(accountId)
    if (!user) throw fail('unauthenticated')
    return user
  }
  const announceEnd = (accountId: string) => parts.announce(accountId, { type: 'session-ended', data: {} })

  return {
    async me(_input, context) {
      // Every page that is opened asks for this, so that places of before are known after an update as well.
      await parts.ownOrigins.confirm(context)
      return await ownUser(context.caller.accountId)
    },
    verify: (_input, { caller }) => ownUser(caller.accountId),

    async updateMe({ body }, context) {
      const { accountId } = context.caller
      const { email, proof, ...names } = body
      const before = await ownUser(accountId)
      requireOneScript(names.username, before.username)
      // Mails for a new password go there, and sign-ins elsewhere are matched by it.
      if (email !== undefined && emailChange.isAnother(before, email)) {
        await parts.requireProof(context, proof ?? {})
        // Before the names, so that nothing is half done.
        await store.requireFree(undefined, email)
      } else if (names.username !== undefined && names.username !== before.username) {
        if (proof) await parts.requireProof(context, proof)
        else await parts.secondFactor.requireFresh(context.caller)
      }
      const displayName = names.displayName === '' ? null : names.displayName
      const user = await store.update(accountId, { ...names, displayName }, clock.now())
      if (!user) throw fail('unauthenticated')
      return email === undefined ? user : await emailChange.change(user, email, context)
    },

    async changePassword({ body }, context) {
      const { accountId, sessionId } = context.caller
      const user = await ownUser(accountId)
      const present = await store.credential(accountId)
      // Whoever signed in with another method and has none shows a code, or has signed in just now.
      if (present === noPassword) await parts.requireProof(context, { code: body.code })
      else if (!(await parts.lockout.checkOwnPassword(sessionId, body.currentPassword ?? '', present)))
        throw fail('wrong_password')
      requireStrong(body.newPassword, { names: [user.username, user.email], baseUrl: parts.baseUrl })
      const credential = await parts.passwords.hash(body.newPassword)
      const now = clock.now()
      const { ended, revoked } = await store.setCredential(accountId, credential, now, async (trx) => {
        await endResets(accountId, trx)
        const sessions = await sessionStore.end(trx, accountId, { but: sessionId }, now)
        return {
          ended: sessions,
          revoked: body.revokeTokens ? await extensions.revokeCredentials(trx, accountId, now) : null,
        }
      })
      await revocations.publish(accountId, [...ended, ...(revoked?.ids ?? [])])
      await revoked?.after(actorOf(context))
      await announceEnd(accountId)
      await notices(accountId, body.revokeTokens ? 'password-and-tokens' : 'password-changed')
      return {}
    },
  }
}

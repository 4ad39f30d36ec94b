/** The routes of second factors. */

import type { accountsRoutes, secondFactorRoutes } from '@atrium/contract/accounts'
import { actorOf, recordRefusal } from '../../../platform/audit/index.ts'
import type { Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { AccountContext } from '../context.ts'
import { sessionKindAfter } from './rules.ts'

type Names = keyof typeof secondFactorRoutes

export const secondFactorHandlers = (parts: AccountContext): Pick<Handlers<typeof accountsRoutes>, Names> => {
  const { store, secondFactor, secondFactorPolicy, sessionStarter, audit } = parts
  return {
    mfa: (_input, { caller }) => secondFactor.state(caller.accountId),

    async enrollMfa({ body }, context) {
      const user = await store.user(context.caller.accountId)
      if (!user) throw fail('unauthenticated')
      if (await secondFactor.hasCodes(user.id)) throw fail('mfa_active')
      await secondFactor.requireProof(context, body)
      return await secondFactor.begin(context, user)
    },

    activateMfa: ({ body }, context) => secondFactor.activate(context, context.caller.accountId, body.code, null),
    renewRecoveryCodes: ({ body }, context) => secondFactor.renew(context, body.code),

    async disableMfa({ body }, context) {
      await secondFactor.disable(context, body.code)
      return {}
    },

    async verifyMfa({ body }, context) {
      const waiting = await secondFactor.waiting(body.challengeToken, 'verify')
      const { user, kind, credential, upstream_index } = waiting
      const factor = await secondFactor.take(context, user.id, body.code, body.challengeToken)
      return await sessionStarter.startSession(
        user,
        sessionKindAfter(kind, factor),
        context,
        credential,
        upstream_index,
      )
    },

    async enrollByChallenge({ body }, context) {
      const { user } = await secondFactor.waiting(body.challengeToken, 'enroll')
      return await secondFactor.begin(context, user)
    },

    async activateByChallenge({ body }, context) {
      const waiting = await secondFactor.waiting(body.challengeToken, 'enroll')
      const { user, kind, credential, upstream_index } = waiting
      const { recoveryCodes } = await secondFactor.activate(context, user.id, body.code, body.challengeToken)
      const began = await sessionStarter.startSession(
        user,
        sessionKindAfter(kind, 'totp'),
        context,
        credential,
        upstream_index,
      )
      return { ...began, recoveryCodes }
    },

    mfaPolicy: () => secondFactorPolicy.read(),

    async setMfaPolicy({ body }, context) {
      const entry = {
        ...actorOf(context),
        action: 'setting.change' as const,
        details: { setting: 'mfa-policy', mode: body.mode },
      }
      const saved = await recordRefusal(audit, { ...entry, result: 'denied' }, () =>
        secondFactorPolicy.change(body.mode),
      )
      await audit.record(entry)
      return saved
    },
  }
}

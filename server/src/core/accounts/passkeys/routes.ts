/** Adding, naming and removing passkeys, coming in with one, and showing again that it is oneself. */
import type { PasskeyShown, accountsRoutes } from '@atrium/contract/accounts'
import type { z } from 'zod'
import { actorOf, recordRefusal } from '../../../platform/audit/index.ts'
import type { Caller, Context, Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { unknownOrigin } from '../sign-in/own-origins.ts'
import { statusRefusal } from '../sign-in/sign-in.ts'
import type { AccountContext } from '../context.ts'
import { maxPasskeys, relyingPartyOf } from './rules.ts'

type Names =
  | 'passkeys'
  | 'passkeyRegisterOptions'
  | 'registerPasskey'
  | 'renamePasskey'
  | 'removePasskey'
  | 'passkeyLoginOptions'
  | 'passkeyLogin'
  | 'prove'

type PresentedPasskey = z.infer<typeof PasskeyShown>

export const passkeyHandlers = (parts: AccountContext): Pick<Handlers<typeof accountsRoutes>, Names> => {
  const { store, passkeyStore, secondFactor, sessionStarter, audit } = parts
  // What checks them takes some megabytes, for instances where somebody has a passkey.
  const ceremonies = async () => (await import('./ceremony.ts')).createCeremonies({ store: passkeyStore })
  const partyOf = async ({ origin }: Pick<Context<Caller | null>, 'origin'>) => {
    // A fixed name says for itself which hosts are meant.
    if (!parts.webauthnRpId && (await parts.ownOrigins.of({ origin })) === null)
      throw fail('passkey_unavailable', unknownOrigin)
    const party = relyingPartyOf({ rpId: parts.webauthnRpId, baseUrl: parts.baseUrl }, origin)
    if (!party) throw fail('passkey_unavailable')
    return party
  }

  /** Whose passkey was shown. Refuses with `passkey_rejected`, after `refuse` wrote down why. */
  const show = async (
    { challengeToken, credential }: PresentedPasskey,
    context: Context<Caller | null>,
    refuse: (reason: string, accountId: string | null) => Promise<unknown>,
  ): Promise<string> => {
    const check = await (await ceremonies()).finishLogin(await partyOf(context), challengeToken)
    const shown = await passkeyStore.find(credential.id)
    const signCount = shown && (await check(credential, shown.accountId, shown.credential))
    const refused = async (reason: string) => {
      await refuse(reason, shown?.accountId ?? null)
      return fail('passkey_rejected')
    }
    if (!shown || signCount === null) throw await refused('passkey_rejected')
    if (shown.isSuspect) throw await refused('suspect')
    if (!(await passkeyStore.use(shown.id, signCount))) throw await refused('copied')
    return shown.accountId
  }

  return {
    async passkeys(_input, { caller }) {
      return { items: await passkeyStore.list(caller.accountId), nextCursor: null }
    },

    async passkeyRegisterOptions({ body }, context) {
      const party = await partyOf(context)
      await secondFactor.requireProof(context, body)
      const user = await store.user(context.caller.accountId)
      if (!user) throw fail('unauthenticated')
      if ((await passkeyStore.list(user.id)).length >= maxPasskeys) throw fail('passkey_limit')
      return await (await ceremonies()).beginRegistration(party, user)
    },

    async registerPasskey({ body }, context) {
      const { accountId } = context.caller
      const made = await (await ceremonies()).finishRegistration(await partyOf(context), accountId, body)
      const entry = { ...actorOf(context), action: 'auth.passkey.register' } as const
      if (!made) {
        await audit.record({ ...entry, result: 'failure', details: { reason: 'passkey_rejected' } })
        throw fail('passkey_rejected')
      }
      const passkey = await passkeyStore.insert({ accountId, name: body.name ?? null, ...made }, (trx, id) =>
        audit.recordIn(trx, { ...entry, target: { type: 'passkey', id } }),
      )
      return passkey
    },

    async renamePasskey({ params, body }, context) {
      const { accountId } = context.caller
      const passkey = await passkeyStore.rename(accountId, params.id, body.name)
      if (!passkey) throw fail('passkey_not_found')
      const target = { type: 'passkey', id: params.id }
      await audit.record({ ...actorOf(context), action: 'auth.passkey.rename', target })
      return passkey
    },

    async removePasskey({ params }, context) {
      const { accountId } = context.caller
      const entry = {
        ...actorOf(context),
        action: 'auth.passkey.remove' as const,
        target: { type: 'passkey', id: params.id },
      }
      const isNeeded = (await secondFactor.isRequired()) && !(await secondFactor.hasCodes(accountId))
      const requireRemainingMethod = await parts.requireRemainingMethod(accountId)
      const isGone = await recordRefusal(audit, { ...entry, result: 'denied' }, () =>
        passkeyStore.remove(accountId, params.id, async (trx, others) => {
          if (isNeeded && !others) throw fail('last_factor')
          if (!others) await requireRemainingMethod(trx)
          await audit.recordIn(trx, entry)
        }),
      )
      if (!isGone) throw fail('passkey_not_found')
      return {}
    },

    passkeyLoginOptions: async (_input, context) => (await ceremonies()).beginLogin(await partyOf(context)),

    async passkeyLogin({ body }, context) {
      const refuse = (reason: string, accountId: string | null) =>
        audit.record({
          ...actorOf(context),
          action: 'auth.login',
          result: 'failure',
          details: { kind: 'passkey', reason },
          target: { type: 'account', id: accountId },
        })
      const accountId = await show(body, context, refuse)
      const user = await store.user(accountId)
      const closed = user ? statusRefusal(user.status) : 'passkey_rejected'
      if (!user || closed) {
        await refuse(closed ?? 'passkey_rejected', accountId)
        throw fail(closed ?? 'passkey_rejected')
      }
      await secondFactor.passkeyShown(user.id)
      return await sessionStarter.startSession(user, 'passkey', context, null)
    },

    async prove({ body: { passkey, ...given } }, context) {
      const { accountId } = context.caller
      const refuse = (reason: string) =>
        audit.record({
          ...actorOf(context),
          action: 'auth.proof',
          result: 'failure',
          details: { kind: 'passkey', reason },
          target: { type: 'account', id: accountId },
        })
      if (passkey && (await show(passkey, context, refuse)) !== accountId) {
        await refuse('passkey_rejected')
        throw fail('passkey_rejected')
      }
      await secondFactor.prove(context, given, passkey !== undefined)
      return {}
    },
  }
}

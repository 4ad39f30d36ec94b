/** What people do with their own linked sign-ins: list, link, unlink. */
import type { Identity, signInProvidersRoutes } from '@atrium/contract/sign-in-providers'
import { z } from 'zod'
import { actorOf, recordRefusal } from '../../../platform/audit/index.ts'
import type { Context, Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { SignInProvidersDeps } from '../context.ts'
import { OAuthFailure } from './failure.ts'
import type { LinkedIdentity } from './identity-store.ts'
import { type OAuthContext, linkCookie } from './context.ts'
import { type OAuthProvider, publicOf } from './rules.ts'

type Names = 'identities' | 'linkIdentity' | 'linkWaiting' | 'forgetWaiting' | 'unlinkIdentity'

/** What the callback left for somebody whose address an account has. */
const ProviderSubject = z.object({
  issuer: z.string(),
  subject: z.string(),
  names: z.array(z.string()),
  email: z.string().nullable(),
  idToken: z.string().nullable(),
})

export const identityHandlers = (
  deps: SignInProvidersDeps,
  oauth: OAuthContext,
): Pick<Handlers<typeof signInProvidersRoutes>, Names> => {
  const { accounts, audit } = deps
  const { providers, identities, flows, authorizationFlow, completion } = oauth

  const present = (known: LinkedIdentity, all: readonly OAuthProvider[]): Identity => {
    const provider = all.find(({ id }) => id === known.providerId)
    return {
      id: known.id,
      provider: provider ? publicOf(provider) : { id: known.providerId, name: known.providerId, kind: 'oidc' },
      label: known.label,
      createdAt: new Date(known.createdAt).toISOString(),
      lastUsedAt: known.lastUsedAt === null ? null : new Date(known.lastUsedAt).toISOString(),
    }
  }
  /** Only for the account whose address it was. */
  const waitingFor = async ({ caller, cookie }: Context<Context['caller'], unknown>) => {
    const token = cookie(linkCookie)
    const arrival = token === null ? null : await flows.readResult('link', token)
    const provider = arrival && (await providers.find(arrival.providerId))
    if (token === null || !arrival || !provider?.enabled || arrival.accountId !== caller.accountId) return null
    return { token, provider, subject: ProviderSubject.parse(arrival.content) }
  }
  const dropCookie = ({ setCookie }: Pick<Context, 'setCookie'>) => setCookie({ name: linkCookie, value: null })

  return {
    async identities(_input, context) {
      const { accountId } = context.caller
      const [known, all, waiting] = await Promise.all([identities.of(accountId), providers.list(), waitingFor(context)])
      return {
        items: known.map((identity) => present(identity, all)),
        nextCursor: null,
        hasPassword: await accounts.store.hasOwnPassword(accountId),
        waiting: waiting && {
          provider: publicOf(waiting.provider),
          label: waiting.subject.email ?? waiting.subject.names[0] ?? waiting.subject.subject,
        },
      }
    },

    async linkIdentity({ params, body }, context) {
      const provider = await providers.require(params.idp)
      await accounts.requireProof(context, body)
      const { accountId, sessionId } = context.caller
      try {
        const { url, cookie } = await authorizationFlow.begin(provider, () => oauth.originOf(context), {
          purpose: 'link',
          accountId,
          sessionId,
        })
        context.setCookie(cookie)
        return { url }
      } catch (error) {
        if (error instanceof OAuthFailure)
          throw fail(error.reason === 'place-unknown' ? 'place_unknown' : 'provider_unreachable', error.message)
        throw error
      }
    },

    async linkWaiting(_input, context) {
      const waiting = await waitingFor(context)
      if (!waiting) throw fail('identity_not_found', 'No sign-in is waiting to be linked. Start again.')
      await flows.takeResult('link', waiting.token)
      dropCookie(context)
      const { accountId } = context.caller
      const id = await completion.link(accountId, waiting.provider, waiting.subject, actorOf(context))
      const made = (await identities.of(accountId)).find((identity) => identity.id === id)
      if (!made) throw fail('identity_not_found')
      return present(made, [waiting.provider])
    },

    async forgetWaiting(_input, context) {
      const waiting = await waitingFor(context)
      if (waiting) await flows.takeResult('link', waiting.token)
      dropCookie(context)
      return {}
    },

    async unlinkIdentity({ params }, context) {
      const { accountId } = context.caller
      const entry = {
        ...actorOf(context),
        action: 'auth.identity.unlink' as const,
        target: { type: 'identity', id: params.id },
      }
      const requireRemainingMethod = await accounts.requireRemainingMethod(accountId)
      const providerId = await recordRefusal(audit, { ...entry, result: 'denied' }, () =>
        identities.unlink(accountId, params.id, async (trx, provider) => {
          await requireRemainingMethod(trx)
          await audit.recordIn(trx, { ...entry, details: { provider } })
        }),
      )
      await oauth.leaveProviderGroups(accountId, providerId)
      return {}
    },
  }
}

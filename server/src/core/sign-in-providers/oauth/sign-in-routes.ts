/** Routes of signing in with a provider: the redirect, the callback, and the session at the end. */
import type { signInProvidersRoutes } from '@atrium/contract/sign-in-providers'
import type { User } from '@atrium/contract/accounts'
import { z } from 'zod'
import { actorOf } from '../../../platform/audit/index.ts'
import type { Caller, Context, Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { statusRefusal } from '../../accounts/index.ts'
import type { SignInProvidersDeps } from '../context.ts'
import { OAuthFailure, publicErrorOf } from './failure.ts'
import type { PendingFlow } from './flow-store.ts'
import { type OAuthContext, linkCookie, transferCookie } from './context.ts'
import { type OAuthProvider, publicOf, sessionKindOf } from './rules.ts'
import { trialOf } from './trial.ts'

type Names = 'externalProviders' | 'externalStart' | 'externalCallback' | 'externalStatus' | 'externalExchange'
type Visit = Context<Caller | null>

/** What the way back leaves for the page. */
const Arrived = z.object({ byClick: z.boolean().default(false), upstream: z.string().nullable().default(null) })

const firstNames = new Set(['github', 'huggingface', 'oidc'])

export const oauthSignInHandlers = (
  deps: SignInProvidersDeps,
  oauth: OAuthContext,
): Pick<Handlers<typeof signInProvidersRoutes>, Names> => {
  const { accounts, audit, clock, log } = deps
  const { providers, authorizationFlow, decideSignIn, completion, flows } = oauth

  const recordFailure = async (
    provider: OAuthProvider,
    failure: OAuthFailure,
    context: Visit,
    accountId: string | null,
  ) => {
    log.info('a sign-in with a provider failed', {
      provider: provider.id,
      reason: failure.reason,
      error: failure.cause,
    })
    await audit.record({
      ...actorOf(context),
      action: 'auth.login',
      result: 'failure',
      target: { type: 'account', id: accountId },
      details: { provider: provider.id, reason: failure.reason },
    })
  }

  /** Back to the sign-in page, with what it needs to say what happened. */
  const signInPage = (flow: Pick<PendingFlow, 'next' | 'inWindow'> | null, said: Record<string, string>): string => {
    const more = {
      ...(flow && flow.next !== '/' ? { next: flow.next } : {}),
      ...(flow?.inWindow ? { window: '1' } : {}),
    }
    return `/sign-in?${new URLSearchParams({ ...said, ...more })}`
  }

  const signIn = async (
    provider: OAuthProvider,
    flow: PendingFlow,
    query: Record<string, unknown>,
    context: Visit,
  ): Promise<string> => {
    let account: User | null = null
    try {
      const profile = await authorizationFlow.finish(provider, flow, query)
      const decision = await decideSignIn(provider, profile)
      account = decision.account
      if (decision.refusal?.reason === 'email-in-use' && account) {
        const { issuer, subject, names, email, idToken } = profile
        const content = { issuer, subject, names, email, idToken }
        const { token, expiresAt } = await flows.keepResult('link', {
          accountId: account.id,
          providerId: provider.id,
          content,
        })
        context.setCookie({ name: linkCookie, value: token, expiresAt })
      }
      const user = await completion.signIn(provider, profile, decision, actorOf(context))
      const { byClick } = flow
      const upstream = profile.sid === null ? null : oauth.identities.sidIndex(profile.issuer, profile.sid)
      const content: z.input<typeof Arrived> = { byClick, upstream }
      const { token, expiresAt } = await flows.keepResult(
        'sign-in',
        { accountId: user.id, providerId: provider.id, content },
        !byClick,
      )
      context.setCookie({ name: transferCookie, value: token, expiresAt })
      return signInPage(flow, { auth: 'success' })
    } catch (error) {
      if (!(error instanceof OAuthFailure)) throw error
      await recordFailure(provider, error, context, account?.id ?? null)
      if (error.reason === 'account-pending') return signInPage(flow, { approval: 'pending' })
      return signInPage(flow, { error: publicErrorOf(error.reason), provider: provider.id })
    }
  }

  const link = async (
    provider: OAuthProvider,
    flow: PendingFlow,
    query: Record<string, unknown>,
    context: Visit,
  ): Promise<string> => {
    const back = (said: Record<string, string>) => `/settings/security?${new URLSearchParams(said)}#identities`
    try {
      const { accountId } = flow
      if (accountId === null || !(await accounts.sessionStore.kindOf(accountId, flow.sessionId ?? '', clock.now())))
        throw new OAuthFailure('session-ended', 'The session that started linking has ended.')
      const profile = await authorizationFlow.finish(provider, flow, query)
      const known = await oauth.identities.find(provider.id, profile)
      if (known && known.accountId !== accountId)
        throw new OAuthFailure('identity-taken', 'This sign-in is linked to another account.')
      if (!known) await completion.link(accountId, provider, profile, actorOf(context))
      return back({ linked: provider.id })
    } catch (error) {
      if (!(error instanceof OAuthFailure)) throw error
      await recordFailure(provider, error, context, flow.accountId)
      return back({ error: publicErrorOf(error.reason), provider: provider.id })
    }
  }

  const tryOut = async (
    provider: OAuthProvider,
    flow: PendingFlow,
    query: Record<string, unknown>,
  ): Promise<string> => {
    const id = clock.id()
    const trial = await trialOf({ id, provider, now: clock.now() }, async (said) => {
      const profile = await authorizationFlow.finish(provider, flow, query)
      said(profile)
      return { profile, decision: await decideSignIn(provider, profile) }
    })
    await flows.keepTrial(id, { accountId: flow.accountId ?? '', providerId: provider.id, content: trial })
    return `/settings/sign-in/trial-${id}`
  }

  return {
    async externalProviders() {
      const enabled = (await providers.list()).filter((provider) => provider.enabled)
      return { items: enabled.map(publicOf), nextCursor: null }
    },

    async externalStart({ params, query }, context) {
      const provider = await providers.require(params.idp)
      const setting = { next: query.next, inWindow: query.window === '1', byClick: isByClick(context) }
      try {
        const { url, cookie } = await authorizationFlow.begin(provider, () => oauth.originOf(context), {
          purpose: 'sign-in',
          accountId: null,
          sessionId: null,
          ...setting,
        })
        context.setCookie(cookie)
        return url
      } catch (error) {
        if (!(error instanceof OAuthFailure)) throw error
        await recordFailure(provider, error, context, null)
        const next = setting.next ?? '/'
        return signInPage(
          { next, inWindow: setting.inWindow },
          { error: publicErrorOf(error.reason), provider: provider.id },
        )
      }
    },

    async externalCallback({ params, query }, context) {
      // A trial may be of a provider that is not open to everybody yet.
      const provider = (await providers.find(params.idp)) ?? (await providers.require(params.idp))
      let flow: PendingFlow
      try {
        flow = await authorizationFlow.take(provider, query, context.cookie)
        context.setCookie({ name: flows.cookieOf(flow.state), value: null, sameSite: 'Lax' })
      } catch (error) {
        if (!(error instanceof OAuthFailure)) throw error
        await recordFailure(provider, error, context, null)
        return signInPage(null, { error: 'oauth_failed', provider: provider.id })
      }
      if (flow.purpose === 'trial') return await tryOut(provider, flow, query)
      if (!provider.enabled) {
        await recordFailure(provider, new OAuthFailure('unconfigured', 'The provider is off.'), context, null)
        return signInPage(flow, { error: 'oauth_not_configured' })
      }
      return await (flow.purpose === 'link' ? link : signIn)(provider, flow, query, context)
    },

    async externalStatus({ params: { idp } }) {
      const provider = (await providers.list()).find(({ id, enabled }) => id === idp && enabled)
      const found = provider ?? (idp === 'oidc' ? await providers.require(idp).catch(() => null) : null)
      if (!found && !firstNames.has(idp)) throw fail('identity_provider_not_found')
      return { configured: found !== null && found !== undefined, ...(found ? { displayName: found.name } : {}) }
    },

    async externalExchange({ body }, context) {
      const token = context.cookie(transferCookie) ?? ''
      const arrival = await flows.readResult('sign-in', token)
      const user = arrival && (await accounts.store.user(arrival.accountId))
      const provider = arrival && (await providers.find(arrival.providerId))
      const { byClick, upstream } = Arrived.parse(arrival?.content ?? {})
      if (user?.status === 'active' && provider?.enabled && !byClick && !body.confirmed)
        return { confirm: { username: user.username, provider: publicOf(provider) } }
      context.setCookie({ name: transferCookie, value: null })
      const isTaken = (await flows.takeResult('sign-in', token)) !== null
      if (!isTaken || !user || !provider?.enabled) throw fail('challenge_over')
      const refused = statusRefusal(user.status)
      if (refused) throw fail(refused)
      return await accounts.challengeOrStart(user, sessionKindOf(provider.kind), context, null, upstream)
    },
  }
}

/**
 * Whether one of our own pages leads there. Any site can send a browser along this way, and a provider that asks nothing
 * would then begin a session here that nobody wanted: it is asked about at the end. Browsers say where a page was left
 * (Fetch Metadata, `Sec-Fetch-Site`), to addresses of https and of the own machine; who does not ask for a page is none.
 */
const isByClick = ({ header }: Pick<Visit, 'header'>): boolean => {
  const site = header('sec-fetch-site')
  return site === null ? !(header('accept') ?? '').includes('text/html') : site === 'same-origin'
}

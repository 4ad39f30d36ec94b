/** What administrators do with sign-in providers: list, add, change, remove, try. */
import { type IdentityProvider, Trial, type signInProvidersRoutes } from '@atrium/contract/sign-in-providers'
import { actorOf } from '../../../platform/audit/index.ts'
import type { Caller, Context, Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { hostAndPort, requireSoundAddress } from '../../../platform/outbound/destination.ts'
import type { SignInProvidersDeps } from '../context.ts'
import { OAuthFailure } from './failure.ts'
import type { ProviderSettings } from './provider-store.ts'
import type { OAuthContext } from './context.ts'
import type { OAuthProvider } from './rules.ts'
import { oauthPath } from './authorization-flow.ts'
import { trialOf } from './trial.ts'

type Names =
  | 'identityProviders'
  | 'addIdentityProvider'
  | 'updateIdentityProvider'
  | 'removeIdentityProvider'
  | 'tryIdentityProvider'
  | 'trial'

export const providerHandlers = (
  deps: SignInProvidersDeps,
  oauth: OAuthContext,
): Pick<Handlers<typeof signInProvidersRoutes>, Names> => {
  const { audit, clock, database } = deps
  const { providers, providerStore, authorizationFlow, oidc, flows } = oauth
  const { allowAddress } = deps.oauth

  const present = (
    { clientSecret, ...provider }: OAuthProvider,
    counts: ReadonlyMap<string, number>,
    { origin: visited }: Pick<Context<Caller>, 'origin'>,
  ): IdentityProvider => {
    const origin = deps.baseUrl?.origin ?? visited
    return {
      ...provider,
      hasSecret: clientSecret !== null,
      callbackUrl: authorizationFlow.callbackOf({ ...provider, clientSecret }, origin),
      logoutUrl: provider.kind === 'oidc' ? `${origin}${oauthPath}/${provider.id}/backchannel-logout` : null,
      accounts: counts.get(provider.id) ?? 0,
    }
  }
  const presentOne = async (id: string, context: Pick<Context<Caller>, 'origin'>) => {
    const provider = await providers.find(id)
    if (!provider) throw fail('identity_provider_not_found')
    return present(provider, await providerStore.counts(), context)
  }

  /** Puts a private place on the list of the instance, where that was asked for. */
  const allow = async (issuerUrl: string | null, wanted: boolean): Promise<void> => {
    if (issuerUrl === null) return
    requireSoundAddress(issuerUrl)
    if (!wanted) return
    const allowance = await allowAddress(hostAndPort(issuerUrl))
    await database.write((trx) => allowance.write(trx))
    await allowance.written()
  }
  /** Asks an OpenID provider for its settings, so that a wrong address is known before anybody signs in. */
  const check = async (provider: OAuthProvider): Promise<void> => {
    if (provider.kind === 'oidc' && provider.issuerUrl === null)
      throw fail('issuer_invalid', 'Enter the provider’s issuer URL.')
    if (provider.kind === 'github' && provider.clientSecret === null)
      throw fail('validation_failed', 'GitHub needs a client secret.')
    if (provider.issuerUrl === null || provider.kind === 'github') return
    try {
      await oidc.discover(provider)
    } catch (error) {
      if (!(error instanceof OAuthFailure)) throw error
      throw fail(error.reason === 'address-not-allowed' ? 'url_not_allowed' : 'issuer_invalid', error.message)
    }
  }
  /** One that can be changed here. */
  const requireOpen = async (id: string): Promise<void> => {
    const provider = await providers.find(id)
    if (provider?.source === 'environment')
      throw fail('setting_locked', 'This provider is set in the environment and can’t be changed here.')
  }
  const requireSaved = async (id: string): Promise<OAuthProvider> => {
    await requireOpen(id)
    const saved = await providerStore.find(id)
    if (!saved) throw fail('identity_provider_not_found')
    return saved
  }

  return {
    async identityProviders(_input, context) {
      // What is shown is what has to be registered elsewhere, and what sign-ins will say.
      await deps.accounts.ownOrigins.confirm(context)
      const [all, unreadable, counts] = await Promise.all([
        providers.list(),
        providerStore.unreadable(),
        providerStore.counts(),
      ])
      return { items: all.map((provider) => present(provider, counts, context)), unreadable, nextCursor: null }
    },

    async addIdentityProvider({ body }, context) {
      const { id, kind, allowPrivate, ...settings } = body
      if (await providers.find(id)) throw fail('identity_provider_exists')
      await allow(settings.issuerUrl, allowPrivate)
      await check({ ...settings, id, kind, source: 'saved', callbackUrl: null })
      await providerStore.insert(id, kind, settings, clock.now())
      await audit.record({
        ...actorOf(context),
        action: 'provider.create',
        target: { type: 'identity-provider', id },
        details: { kind },
      })
      return await presentOne(id, context)
    },

    async updateIdentityProvider({ params: { id }, body }, context) {
      const { allowPrivate = false, ...given } = body
      const before = await requireSaved(id)
      const after: OAuthProvider = { ...before, ...defined(given) }
      const moved = after.issuerUrl !== before.issuerUrl
      // A secret is for the place it was entered for: nobody sends it elsewhere without knowing it.
      if (moved && given.clientSecret === undefined && before.clientSecret !== null)
        throw fail('validation_failed', 'If you change the address, enter the client secret again.')
      if (moved || given.clientId !== undefined || given.clientSecret !== undefined) {
        await allow(after.issuerUrl, allowPrivate)
        await check(after)
      }
      await providerStore.update(id, settingsOf(after), { now: clock.now(), forget: moved })
      await audit.record({
        ...actorOf(context),
        action: 'provider.update',
        target: { type: 'identity-provider', id },
        details: { fields: Object.keys(given) },
      })
      return await presentOne(id, context)
    },

    async removeIdentityProvider({ params: { id } }, context) {
      // Also one that cannot be read.
      await requireOpen(id)
      await providerStore.remove(id)
      await audit.record({
        ...actorOf(context),
        action: 'provider.delete',
        target: { type: 'identity-provider', id },
      })
      return {}
    },

    async tryIdentityProvider({ params: { id } }, context) {
      const provider = await providers.find(id)
      if (!provider) throw fail('identity_provider_not_found')
      const { accountId, sessionId } = context.caller
      let begun: Awaited<ReturnType<typeof authorizationFlow.begin>> | null = null
      const trialId = clock.id()
      try {
        await deps.accounts.ownOrigins.confirm(context)
        begun = await authorizationFlow.begin(provider, () => oauth.originOf(context), {
          purpose: 'trial',
          accountId,
          sessionId,
        })
      } catch (error) {
        if (!(error instanceof OAuthFailure)) throw error
        const content = await trialOf({ id: trialId, provider, now: clock.now() }, () => Promise.reject(error))
        await flows.keepTrial(trialId, { accountId, providerId: id, content })
        return { url: `/settings/sign-in/trial-${trialId}` }
      }
      context.setCookie(begun.cookie)
      return { url: begun.url }
    },

    async trial({ params }, { caller }) {
      const content = await flows.trial(caller.accountId, params.id)
      if (content === null) throw fail('trial_not_found')
      return Trial.parse(content)
    },
  }
}

const settingsOf = ({
  id: _,
  kind: __,
  source: ___,
  callbackUrl: ____,
  ...settings
}: OAuthProvider): ProviderSettings => settings

const defined = <T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never

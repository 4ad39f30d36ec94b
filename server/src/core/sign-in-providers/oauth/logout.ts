/** Signing out on both sides (OpenID Connect RP-Initiated Logout 1.0, Back-Channel Logout 1.0). */
import type { SessionKind } from '@atrium/contract/accounts'
import type { signInProvidersRoutes } from '@atrium/contract/sign-in-providers'
import { z } from 'zod'
import type { Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { SignInProvidersDeps } from '../context.ts'
import { OAuthFailure } from './failure.ts'
import type { OAuthContext } from './context.ts'
import { loadOpenid } from './openid.ts'
import { sessionKindOf } from './rules.ts'
import { createLogoutStore } from './logout-store.ts'

/** Nobody waits longer for the way out of a provider that does not answer. */
const patienceMs = 2000
const longestAgeSeconds = 300
/** How long a token is remembered: by then it is too old, however far the provider's clock is off. */
const rememberedMs = (longestAgeSeconds + 60) * 1000
/** Ids of tokens are some dozen characters long; what is longer is none. */
const longestId = 1000

const LogoutClaims = z.object({
  sub: z.string().optional(),
  sid: z.string().optional(),
  jti: z.string().min(1).max(longestId),
  iat: z.number(),
  nonce: z.never().optional(),
  events: z.object({ 'http://schemas.openid.net/event/backchannel-logout': z.looseObject({}) }),
})

export const createOAuthLogout = (deps: SignInProvidersDeps, oauth: OAuthContext) => {
  const { database, clock, accounts, audit, log, announce } = deps
  const { providers, identities, oidc, keys } = oauth

  /** Where to end the session that somebody has there; null where the provider knows no way. Never fails. */
  const addressFor = async (accountId: string, kind: SessionKind, origin: string | null): Promise<string | null> => {
    const all = (await providers.list()).filter(
      (provider) => provider.enabled && provider.kind !== 'github' && sessionKindOf(provider.kind) === kind,
    )
    const [last] = (await identities.of(accountId))
      .filter((identity) => all.some(({ id }) => id === identity.providerId))
      .sort((a, b) => (b.lastUsedAt ?? 0) - (a.lastUsedAt ?? 0))
    const provider = last && all.find(({ id }) => id === last.providerId)
    if (!provider) return null
    const config = await oidc.discover(provider)
    if (!config.serverMetadata().end_session_endpoint) return null
    return loadOpenid().buildEndSessionUrl(config, {
      ...(origin === null ? {} : { post_logout_redirect_uri: `${origin}/sign-in` }),
      ...(last.idToken === null ? {} : { id_token_hint: last.idToken }),
    }).href
  }

  const logoutStore = createLogoutStore({ database, endSession: accounts.sessionStore.end })

  return {
    /** Asked before the session ends. */
    async addressOf(accountId: string, sessionId: string, origin: string | null): Promise<string | null> {
      const kind = await accounts.sessionStore.kindOf(accountId, sessionId, clock.now())
      if (kind !== 'oidc' && kind !== 'oauth:huggingface') return null
      const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), patienceMs).unref())
      const address = addressFor(accountId, kind, origin).catch((error: unknown) => {
        // Signing out here must work, also while the provider does not.
        log.info('the way out of a provider is not known', { error })
        return null
      })
      return await Promise.race([address, late])
    },

    handlers: {
      async backchannelLogout({ params, file }, context) {
        const provider = await providers.require(params.idp)
        if (provider.kind !== 'oidc') throw fail('identity_provider_not_found')
        const token = new URLSearchParams((await file.bytes()).toString()).get('logout_token')
        if (token === null) throw fail('logout_token_invalid')
        let issuer = ''
        let claims: z.infer<typeof LogoutClaims>
        try {
          const server = (await oidc.discover(provider)).serverMetadata()
          issuer = server.issuer
          const payload = await keys.verify(token, server.jwks_uri as string, {
            issuer,
            audience: provider.clientId,
            maxTokenAge: longestAgeSeconds,
          })
          claims = LogoutClaims.parse(payload)
        } catch (error) {
          if (!(error instanceof OAuthFailure || error instanceof z.ZodError)) throw error
          log.info('a logout token was refused', { provider: provider.id, error })
          throw fail('logout_token_invalid')
        }
        const { sub, sid, jti } = claims
        const known = sub
          ? await identities.find(provider.id, { issuer, subject: sub })
          : sid
            ? await identities.findBySid(provider.id, issuer, sid)
            : null
        if (!sub && !sid) throw fail('logout_token_invalid')
        if (!known) return {}
        // Without a session that is named, all of the person's end (OpenID Connect Back-Channel Logout 1.0, section 2.4).
        const upstream = sid ? identities.sidIndex(issuer, sid) : null
        // What began after the token was issued is none of its business; it says whole seconds only.
        const before = (Math.floor(claims.iat) + 1) * 1000
        const kind = sessionKindOf(provider.kind)
        const ids = await accounts.sessionStore.idsOfKind(known.accountId, { kind, before, upstream }, clock.now())
        const ended = await logoutStore.takeOnce(
          { issuer, jti, rememberedMs },
          { accountId: known.accountId, sessionIds: ids },
          clock.now(),
        )
        if (!ended) throw fail('logout_token_invalid', 'This logout token was already used.')
        await accounts.publishRevocation(known.accountId, ended)
        const count = ended.length
        if (count > 0) await announce(known.accountId, { type: 'session-ended', data: {} })
        await audit.record({
          action: 'auth.logout',
          actor: { kind: 'system', accountId: null },
          requestId: context.requestId,
          address: context.address,
          target: { type: 'account', id: known.accountId },
          details: { provider: provider.id, sessions: count },
        })
        return {}
      },
    } satisfies Pick<Handlers<typeof signInProvidersRoutes>, 'backchannelLogout'>,
  }
}

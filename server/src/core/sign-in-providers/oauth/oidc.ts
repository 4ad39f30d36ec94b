/** OpenID Connect: discovery, the way there with PKCE, state and nonce, and what the answer says (OpenID Connect Core 1.0, RFC 7636, RFC 9207). */
import type * as client from 'openid-client'
import { createCache } from '../../../platform/cache/cache.ts'
import type { Clock } from '../../../platform/clock.ts'
import { OAuthFailure } from './failure.ts'
import { loadOpenid } from './openid.ts'
import { type AddressCheck, type ProviderFetch, timeoutMs } from './provider-fetch.ts'
import type { ProviderKeys } from './provider-keys.ts'
import { type ProviderProfile, type OAuthProvider, profileOf } from './rules.ts'
import { asOAuthFailure } from './upstream.ts'

/** What is known of one try from its beginning to its end; kept sealed. */
export interface FlowVerifiers {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly callbackUrl: string
}

/** A wire by which somebody can sign in elsewhere. */
export interface SignInMethod {
  /** Where the browser is sent. Throws OAuthFailure. */
  begin(provider: OAuthProvider, secrets: FlowVerifiers): Promise<URL>
  /** Who came back. `query`: of the callback, without its question mark. Throws OAuthFailure. */
  finish(provider: OAuthProvider, secrets: FlowVerifiers, query: URLSearchParams): Promise<ProviderProfile>
}

export interface OidcMethod extends SignInMethod {
  /** What the provider says of itself. Throws OAuthFailure. */
  discover(provider: OAuthProvider): Promise<client.Configuration>
}

const keptMs = 10 * 60_000
const keptCount = 100

/** The endpoints that are used: the first three have to be there. */
const needed = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const
const endpoints = [...needed, 'userinfo_endpoint', 'end_session_endpoint'] as const

export const createOidc = (deps: {
  fetch: ProviderFetch
  requireAddress: AddressCheck
  keys: ProviderKeys
  clock: Clock
}): OidcMethod => {
  const { fetch, requireAddress, keys, clock } = deps
  const configurations = createCache<client.Configuration>({ max: keptCount, ttl: { ms: keptMs, clock } })

  /** Where a document leads is judged as a whole, so that a wrong one is known before anybody is sent there. */
  const requireEndpoints = async (server: client.ServerMetadata): Promise<void> => {
    if (needed.some((name) => !server[name]))
      throw new OAuthFailure('discovery-invalid', 'The provider doesn’t list all of its endpoints.')
    for (const name of endpoints) {
      const address: unknown = server[name]
      if (address === undefined || address === null) continue
      if (typeof address !== 'string' || !URL.canParse(address))
        throw new OAuthFailure('discovery-invalid', `The provider’s ${name} isn’t a web address.`)
      await requireAddress(address)
    }
  }

  const load = async (provider: OAuthProvider): Promise<client.Configuration> => {
    const issuer = URL.parse(provider.issuerUrl ?? '')
    if (!issuer) throw new OAuthFailure('discovery-invalid', 'The provider has no address.')
    const found = await loadOpenid()
      .discovery(issuer, provider.clientId, undefined, undefined, {
        execute: [loadOpenid().allowInsecureRequests],
        timeout: timeoutMs / 1000,
        [loadOpenid().customFetch]: fetch,
      })
      .catch((error: unknown) => {
        throw asOAuthFailure(error, 'discovery-invalid', 'No OpenID provider was found at this address.')
      })
    const server = found.serverMetadata()
    await requireEndpoints(server)
    const config = new (loadOpenid().Configuration)(server, provider.clientId, undefined, authOf(provider, server))
    // The gate decides where plain http may go; the library would refuse it everywhere.
    loadOpenid().allowInsecureRequests(config)
    config[loadOpenid().customFetch] = fetch
    config.timeout = timeoutMs / 1000
    return config
  }

  const discover: OidcMethod['discover'] = async (provider) => {
    const { id, issuerUrl, clientId, clientSecret } = provider
    const key = JSON.stringify([id, issuerUrl, clientId, clientSecret])
    return await configurations.load(key, () => load(provider))
  }

  return {
    discover,
    async begin(provider, { state, nonce, verifier, callbackUrl }) {
      return loadOpenid().buildAuthorizationUrl(await discover(provider), {
        redirect_uri: callbackUrl,
        scope: scopesOf(provider).join(' '),
        state,
        nonce,
        code_challenge: await loadOpenid().calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
    },

    async finish(provider, { state, nonce, verifier, callbackUrl }, query) {
      const config = await discover(provider)
      const server = config.serverMetadata()
      const address = new URL(callbackUrl)
      address.search = query.toString()
      const tokens = await loadOpenid()
        .authorizationCodeGrant(config, address, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        })
        .catch((error: unknown) => {
          throw asOAuthFailure(error, 'upstream-error', 'The provider did not accept the sign-in.')
        })
      const raw = tokens.id_token
      if (raw === undefined) throw new OAuthFailure('no-id-token', 'The provider didn’t send an ID token.')
      const { issuer } = server
      const idToken = await keys.verify(raw, server.jwks_uri as string, { issuer, audience: provider.clientId })
      if (idToken['nonce'] !== nonce)
        throw new OAuthFailure('nonce-mismatch', 'The ID token belongs to another sign-in.')
      const userInfo = server.userinfo_endpoint
        ? await loadOpenid()
            .fetchUserInfo(config, tokens.access_token, String(idToken.sub))
            .catch((error: unknown) => {
              throw asOAuthFailure(error, 'upstream-error', 'The provider didn’t say who signed in (userinfo).')
            })
        : {}
      return profileOf(provider, issuer, { idToken, userInfo: { ...userInfo }, raw })
    },
  }
}

const scopesOf = ({ scopes }: OAuthProvider): string[] =>
  scopes.length === 0 ? ['openid', 'profile', 'email'] : [...new Set(['openid', ...scopes])]

/** In the header unless the provider only takes it in the body (RFC 6749, section 2.3.1). */
const authOf = ({ clientSecret }: OAuthProvider, server: client.ServerMetadata): client.ClientAuth => {
  if (clientSecret === null) return loadOpenid().None()
  const methods = server.token_endpoint_auth_methods_supported
  const inBody = methods && !methods.includes('client_secret_basic') && methods.includes('client_secret_post')
  return inBody ? loadOpenid().ClientSecretPost(clientSecret) : loadOpenid().ClientSecretBasic(clientSecret)
}

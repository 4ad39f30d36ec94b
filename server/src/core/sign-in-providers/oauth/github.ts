/** GitHub, and GitHub Enterprise servers: OAuth 2 with a user route of its own in place of an ID token. */
import type * as client from 'openid-client'
import { z } from 'zod'
import { OAuthFailure } from './failure.ts'
import { loadOpenid } from './openid.ts'
import { type ProviderFetch, timeoutMs } from './provider-fetch.ts'
import type { SignInMethod } from './oidc.ts'
import { type OAuthProvider, claimsOf } from './rules.ts'
import { asOAuthFailure } from './upstream.ts'

/** Where GitHub is when a provider names no server of its own. */
export interface GithubUrls {
  readonly web: string
  readonly api: string
}
export const githubUrls: GithubUrls = { web: 'https://github.com', api: 'https://api.github.com' }

const GithubUser = z.looseObject({ id: z.number().int().positive(), login: z.string().min(1) })
const GithubEmails = z.array(z.looseObject({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

export const createGithub = ({ fetch, usual }: { fetch: ProviderFetch; usual: GithubUrls }): SignInMethod => {
  const placeOf = ({ issuerUrl }: OAuthProvider): GithubUrls => {
    const web = issuerUrl?.replace(/\/+$/, '')
    return web === undefined ? usual : { web, api: `${web}/api/v3` }
  }
  const configOf = (provider: OAuthProvider): client.Configuration => {
    const { web } = placeOf(provider)
    const server = {
      issuer: `${web}/login/oauth`,
      authorization_endpoint: `${web}/login/oauth/authorize`,
      token_endpoint: `${web}/login/oauth/access_token`,
    }
    const auth = loadOpenid().ClientSecretPost(provider.clientSecret ?? '')
    const config = new (loadOpenid().Configuration)(server, provider.clientId, undefined, auth)
    loadOpenid().allowInsecureRequests(config)
    config[loadOpenid().customFetch] = fetch
    config.timeout = timeoutMs / 1000
    return config
  }
  const ask = async <T>(provider: OAuthProvider, path: string, token: string, form: z.ZodType<T>): Promise<T> => {
    const response = await fetch(`${placeOf(provider).api}${path}`, {
      headers: {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${token}`,
        'user-agent': 'Atrium',
        'x-github-api-version': '2022-11-28',
      },
    })
    const read = response.ok ? form.safeParse(await response.json().catch(() => null)) : null
    if (!read?.success)
      throw new OAuthFailure('upstream-error', `GitHub didn’t respond as expected at ${path} (${response.status}).`)
    return read.data
  }

  return {
    async begin(provider, { state, verifier, callbackUrl }) {
      const scopes = provider.scopes.length > 0 ? provider.scopes : ['read:user', 'user:email']
      return loadOpenid().buildAuthorizationUrl(configOf(provider), {
        redirect_uri: callbackUrl,
        scope: scopes.join(' '),
        state,
        code_challenge: await loadOpenid().calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
    },

    async finish(provider, { state, verifier, callbackUrl }, query) {
      const address = new URL(callbackUrl)
      address.search = query.toString()
      const { access_token: token } = await loadOpenid()
        .authorizationCodeGrant(configOf(provider), address, { pkceCodeVerifier: verifier, expectedState: state })
        .catch((error: unknown) => {
          throw asOAuthFailure(error, 'upstream-error', 'GitHub did not accept the sign-in.')
        })
      const user = await ask(provider, '/user', token, GithubUser)
      const emails = await ask(provider, '/user/emails', token, GithubEmails)
      const primary = emails.find((each) => each.primary)
      return {
        issuer: placeOf(provider).web,
        // Logins can be given up and taken by somebody else; the number stays.
        subject: String(user.id),
        names: [user.login],
        email: primary?.email ?? null,
        emailVerified: primary?.verified ?? false,
        groups: null,
        sid: null,
        idToken: null,
        claims: [...claimsOf('/user', user), ...claimsOf('/user/emails', { emails })],
      }
    },
  }
}

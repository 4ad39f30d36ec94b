/** The redirect to a provider and the callback from it, which gives a profile or a failure. */
import type { Cookie } from '../../../platform/http/area.ts'
import { OAuthFailure } from './failure.ts'
import type { PendingFlow, PendingFlows, FlowPurpose } from './flow-store.ts'
import type { OidcMethod, SignInMethod } from './oidc.ts'
import { type ProviderProfile, type OAuthProvider, safeNext } from './rules.ts'

export interface FlowOptions {
  readonly purpose: FlowPurpose
  readonly accountId: string | null
  readonly sessionId: string | null
  readonly next?: string | undefined
  readonly inWindow?: boolean
  readonly byClick?: boolean
}

export interface AuthorizationFlow {
  /** The address to send the browser to, and the cookie by which it is known again. Throws OAuthFailure. */
  begin(provider: OAuthProvider, originOf: OriginOf, setting: FlowOptions): Promise<{ url: string; cookie: Cookie }>
  /** The try that came back, once, and only to the browser that began it. Throws OAuthFailure `state-invalid`. */
  take(provider: OAuthProvider, query: Query, cookie: (name: string) => string | null): Promise<PendingFlow>
  /** Who it is. Throws OAuthFailure. */
  finish(provider: OAuthProvider, flow: PendingFlow, query: Query): Promise<ProviderProfile>
  callbackOf(provider: OAuthProvider, origin: string): string
}
/** Asked only where the address to come back to is not fixed. */
type OriginOf = () => Promise<string>
type Query = Readonly<Record<string, unknown>>

export const oauthPath = '/api/auth/oauth'
const pathOf = ({ id }: Pick<OAuthProvider, 'id'>) => `${oauthPath}/${id}`

export const createAuthorizationFlow = (deps: {
  flows: PendingFlows
  oidc: OidcMethod
  github: SignInMethod
}): AuthorizationFlow => {
  const { flows } = deps
  const methodOf = ({ kind }: OAuthProvider): SignInMethod => (kind === 'github' ? deps.github : deps.oidc)
  const callbackOf: AuthorizationFlow['callbackOf'] = (provider, origin) =>
    provider.callbackUrl ?? `${origin}${pathOf(provider)}/callback`

  return {
    callbackOf,
    async begin(provider, originOf, { purpose, accountId, sessionId, next, inWindow = false, byClick = false }) {
      const { secrets, cookie } = await flows.begin({
        providerId: provider.id,
        purpose,
        accountId,
        sessionId,
        inWindow,
        byClick,
        callbackUrl: provider.callbackUrl ?? callbackOf(provider, await originOf()),
        next: safeNext(next),
      })
      return { url: (await methodOf(provider).begin(provider, secrets)).href, cookie }
    },

    async take(provider, query, cookie) {
      const { state } = query
      const browser = typeof state === 'string' ? cookie(flows.cookieOf(state)) : null
      const flow = typeof state === 'string' && browser !== null ? await flows.take(state, browser, provider.id) : null
      // A try that was begun with one provider must not be finished by another one.
      if (!flow)
        throw new OAuthFailure('state-invalid', 'This sign-in wasn’t started here, took too long or was already used.')
      return flow
    },

    async finish(provider, flow, query) {
      const plain = new URLSearchParams()
      for (const [name, value] of Object.entries(query)) if (typeof value === 'string') plain.append(name, value)
      return await methodOf(provider).finish(provider, flow, plain)
    },
  }
}

/** What the routes of OAuth providers share. */
import type { Caller, Context } from '../../../platform/http/area.ts'
import type { PendingFlows } from './flow-store.ts'
import type { IdentityStore } from './identity-store.ts'
import type { DecideSignIn } from './profile-mapping.ts'
import type { ProviderKeys } from './provider-keys.ts'
import type { OidcMethod } from './oidc.ts'
import type { ProviderStore } from './provider-store.ts'
import type { OAuthProviders } from './providers.ts'
import type { SignInCompletion } from './complete-sign-in.ts'
import type { AuthorizationFlow } from './authorization-flow.ts'

export interface OAuthContext {
  readonly providers: OAuthProviders
  readonly providerStore: ProviderStore
  readonly identities: IdentityStore
  readonly flows: PendingFlows
  readonly authorizationFlow: AuthorizationFlow
  readonly decideSignIn: DecideSignIn
  readonly completion: SignInCompletion
  readonly oidc: OidcMethod
  readonly keys: ProviderKeys
  /** Where the instance is reached, as providers and browsers see it. Throws OAuthFailure `place-unknown`. */
  originOf(context: Pick<Context<Caller | null>, 'origin'>): Promise<string>
  /** Memberships that followed a provider end with the link. */
  leaveProviderGroups(accountId: string, providerId: string): Promise<void>
}

/** Carries the right to a session from the callback to the page, for a minute. */
export const transferCookie = 'atrium_arrival'
/** Carries a sign-in that waits to be linked, for ten. */
export const linkCookie = 'atrium_link'

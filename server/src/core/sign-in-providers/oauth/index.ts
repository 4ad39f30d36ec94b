/**
 * Sign-in with an account at GitHub, Hugging Face, or an OpenID provider. A provider only says who somebody is; whether a
 * session begins, and with which second factor, is decided where all sessions begin.
 */
import { unknownOrigin } from '../../accounts/index.ts'
import type { SignInProvidersDeps } from '../context.ts'
import { createAuthorizationFlow } from './authorization-flow.ts'
import { createSignInCompletion } from './complete-sign-in.ts'
import type { OAuthContext } from './context.ts'
import { OAuthFailure } from './failure.ts'
import { createPendingFlows } from './flow-store.ts'
import { createGithub, githubUrls } from './github.ts'
import { identityHandlers } from './identity-routes.ts'
import { createIdentityStore } from './identity-store.ts'
import { createOAuthLogout } from './logout.ts'
import { createOidc } from './oidc.ts'
import { createProfileMapping, sourceOf } from './profile-mapping.ts'
import { createAddressCheck, createProviderFetch } from './provider-fetch.ts'
import { createProviderKeys } from './provider-keys.ts'
import { providerHandlers } from './provider-routes.ts'
import { createProviderStore } from './provider-store.ts'
import { createOAuthProviders } from './providers.ts'
import { oauthSignInHandlers } from './sign-in-routes.ts'

export const createOAuth = (deps: SignInProvidersDeps) => {
  const { accounts, groups } = deps
  const { environment, places } = deps.oauth
  const providerStore = createProviderStore(deps)
  const identities = createIdentityStore(deps)
  const flows = createPendingFlows(deps)
  const fetch = createProviderFetch(deps.oauth)
  const keys = createProviderKeys({ fetch, clock: deps.clock })
  const oidc = createOidc({ fetch, requireAddress: createAddressCheck(deps.oauth), keys, clock: deps.clock })
  const oauth: OAuthContext = {
    providerStore,
    identities,
    flows,
    oidc,
    keys,
    providers: createOAuthProviders({
      store: providerStore,
      environment,
      signupEnabled: deps.signupEnabled,
      huggingface: places?.huggingface ?? 'https://huggingface.co',
    }),
    authorizationFlow: createAuthorizationFlow({
      flows,
      oidc,
      github: createGithub({ fetch, usual: places?.github ?? githubUrls }),
    }),
    decideSignIn: createProfileMapping({ accounts, identities, groups }),
    completion: createSignInCompletion({ ...deps, identities }),
    async originOf(context) {
      const origin = await accounts.ownOrigins.of(context)
      if (origin === null) throw new OAuthFailure('place-unknown', unknownOrigin)
      return origin
    },
    async leaveProviderGroups(accountId, providerId) {
      const { added, removed } = await groups.setGroups(accountId, sourceOf({ id: providerId }), [])
      if (added.length + removed.length > 0) await accounts.publishRevocation(accountId, [])
    },
  }
  const logout = createOAuthLogout(deps, oauth)
  accounts.registerSignInProvider({
    methodsOf: identities.kindsOf,
    isLinked: identities.isLinked,
    logoutUrl: logout.addressOf,
  })
  return {
    handlers: {
      ...oauthSignInHandlers(deps, oauth),
      ...identityHandlers(deps, oauth),
      ...providerHandlers(deps, oauth),
      ...logout.handlers,
    },
    /** What the providers are called, by the source that memberships from them have. */
    async sourceNames(): Promise<Map<string, string>> {
      return new Map((await oauth.providers.list()).map((provider) => [sourceOf(provider), provider.name]))
    },
  }
}

/**
 * Sign-in with an account elsewhere: GitHub, Hugging Face, and every OpenID provider. A provider only says who somebody
 * is; whether a session begins, and with which second factor, is decided at the entrance like for everybody.
 */
import { providerKinds } from '@atrium/contract/authentication'
import type { Database } from '../../../platform/db/types.ts'
import type { AnyTransaction } from '../../../platform/db/types.ts'
import type { Outbound } from '../../../platform/outbound/types.ts'
import type { Groups } from '../../groups/groups.ts'
import type { MeansReader } from '../../accounts/people/user-list.ts'
import { createRoleSync } from '../../accounts/people/sync-role.ts'
import type { AccountContext } from '../../accounts/types.ts'
import { createAddressCheck, createProviderFetch } from './provider-fetch.ts'
import { OAuthFailure } from './failure.ts'
import { unknownOrigin } from '../../accounts/sign-in/own-origins.ts'
import { createPendingFlows } from './pending-flows.ts'
import { type GithubUrls, createGithub, githubUrls } from './github.ts'
import { createIdentities } from './identities.ts'
import { identityHandlers } from './identity-routes.ts'
import { createProfileMapping, sourceOf } from './profile-mapping.ts'
import { createProviderKeys } from './provider-keys.ts'
import { createOAuthLogout } from './logout.ts'
import { createOidc } from './oidc.ts'
import { providerHandlers } from './provider-routes.ts'
import { createProviderStore } from './provider-store.ts'
import { type EnvironmentProvider, createProviders } from './providers.ts'
import type { OAuthContext } from './context.ts'
import { createSessionReader } from './session-reader.ts'
import { createSignInCompletion } from './complete-sign-in.ts'
import { oauthSignInHandlers } from './sign-in-routes.ts'
import type { OAuthTables } from './tables.ts'
import { createAuthorizationFlow } from './authorization-flow.ts'

export type { EnvironmentProvider } from './providers.ts'

/** What this room needs of the house. */
export interface OAuthOptions {
  readonly environment: readonly EnvironmentProvider[]
  readonly outbound: Pick<Outbound, 'check' | 'request'>
  /** Private `host:port` pairs that may be called. */
  readonly allowedAddresses: () => Promise<ReadonlySet<string>>
  readonly allowAddress: (
    place: string,
  ) => Promise<{ write(trx: AnyTransaction): Promise<void>; written(): Promise<void> }>
  /** Where the two named providers are; only tests say otherwise. */
  readonly places?: { readonly github?: GithubUrls; readonly huggingface?: string } | undefined
}

export const createOAuth = (parts: AccountContext, groups: Groups) => {
  const { database, vault, clock, people, revocations, audit } = parts
  const { environment, places } = parts.external
  const providerStore = createProviderStore(parts)
  const identities = createIdentities(parts)
  const flows = createPendingFlows({ database, vault, clock })
  const fetch = createProviderFetch(parts.external)
  const keys = createProviderKeys({ fetch, clock })
  const oidc = createOidc({ fetch, requireAddress: createAddressCheck(parts.external), keys, clock })
  const store = people.store
  const oauth: OAuthContext = {
    providerStore,
    identities,
    flows,
    oidc,
    keys,
    providers: createProviders({
      store: providerStore,
      environment,
      signupEnabled: parts.signupEnabled,
      huggingface: places?.huggingface ?? 'https://huggingface.co',
    }),
    authorizationFlow: createAuthorizationFlow({
      flows,
      oidc,
      github: createGithub({ fetch, usual: places?.github ?? githubUrls }),
    }),
    decideSignIn: createProfileMapping({ database, store, identities, groups }),
    completion: createSignInCompletion({
      store,
      identities,
      groups,
      revocations,
      vault,
      audit,
      clock,
      syncRole: createRoleSync({ store, revocations, audit, clock, roles: people.roles }),
    }),
    async originOf(context) {
      const origin = await parts.ownOrigins.of(context)
      if (origin === null) throw new OAuthFailure('place-unknown', unknownOrigin)
      return origin
    },
    sessions: createSessionReader({ database, clock }),
    async leaveProviderGroups(accountId, providerId) {
      const { added, removed } = await groups.setGroups(accountId, sourceOf({ id: providerId }), [])
      if (added.length + removed.length > 0) await revocations.publish(accountId, [])
    },
  }
  const logout = createOAuthLogout(parts, oauth)
  return {
    handlers: {
      ...oauthSignInHandlers(parts, oauth),
      ...identityHandlers(parts, oauth),
      ...providerHandlers(parts, oauth),
      ...logout.handlers,
    },
    /** Where a session has to be ended besides; null for none. */
    logoutAddress: logout.addressOf,
    /** What the providers are called, by the source that memberships from them have. */
    async sourceNames(): Promise<Map<string, string>> {
      return new Map((await oauth.providers.list()).map((provider) => [sourceOf(provider), provider.name]))
    },
  }
}

/** Which accounts can sign in with a provider. */
export const externalMeans =
  ({ database }: { database: Database }): MeansReader =>
  async (accountIds) => {
    if (accountIds.length === 0) return new Map()
    const rows = await database
      .tables<OAuthTables>()
      .selectFrom('identities')
      .leftJoin('identity_providers', 'identity_providers.id', 'identities.provider_id')
      .select(['identities.account_id', 'identities.provider_id', 'identity_providers.kind'])
      .where('identities.account_id', 'in', accountIds)
      .execute()
    const found = new Map<string, Set<(typeof providerKinds)[number]>>()
    for (const { account_id, provider_id, kind } of rows) {
      // Those of the environment have no row, and are called after their kind.
      const known = kind ?? providerKinds.find((name) => name === provider_id) ?? 'oidc'
      found.set(account_id, (found.get(account_id) ?? new Set()).add(known))
    }
    return new Map([...found].map(([accountId, kinds]) => [accountId, [...kinds]]))
  }

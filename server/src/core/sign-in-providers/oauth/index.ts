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
import { createRoleFollower } from '../../accounts/people/sync-role.ts'
import type { AccountParts } from '../../accounts/types.ts'
import { createPlaceCheck, createProviderFetch } from './provider-fetch.ts'
import { ExternalFailure } from './failure.ts'
import { unknownOrigin } from '../../accounts/sign-in/own-origins.ts'
import { createFlows } from './pending-flows.ts'
import { type GithubPlace, createGithub, usualGithub } from './github.ts'
import { createIdentities } from './identities.ts'
import { identityHandlers } from './identity-routes.ts'
import { createJudge, sourceOf } from './profile-mapping.ts'
import { createProviderKeys } from './provider-keys.ts'
import { createExternalLogout } from './logout.ts'
import { createOidc } from './oidc.ts'
import { providerHandlers } from './provider-routes.ts'
import { createProviderStore } from './provider-store.ts'
import { type EnvironmentProvider, createProviders } from './providers.ts'
import type { ExternalRoom } from './context.ts'
import { createSessionReader } from './session-reader.ts'
import { createSettle } from './complete-sign-in.ts'
import { externalSignInHandlers } from './sign-in-routes.ts'
import type { ExternalTables } from './tables.ts'
import { createTravel } from './authorization-flow.ts'

export type { EnvironmentProvider } from './providers.ts'

/** What this room needs of the house. */
export interface ExternalDeps {
  readonly environment: readonly EnvironmentProvider[]
  readonly outbound: Pick<Outbound, 'check' | 'request'>
  /** Private `host:port` pairs that may be called. */
  readonly allowedAddresses: () => Promise<ReadonlySet<string>>
  readonly allowAddress: (
    place: string,
  ) => Promise<{ write(trx: AnyTransaction): Promise<void>; written(): Promise<void> }>
  /** Where the two named providers are; only tests say otherwise. */
  readonly places?: { readonly github?: GithubPlace; readonly huggingface?: string } | undefined
}

export const createExternal = (parts: AccountParts, groups: Groups) => {
  const { database, vault, clock, people, endings, audit } = parts
  const { environment, places } = parts.external
  const providerStore = createProviderStore(parts)
  const identities = createIdentities(parts)
  const flows = createFlows({ database, vault, clock })
  const fetch = createProviderFetch(parts.external)
  const keys = createProviderKeys({ fetch, clock })
  const oidc = createOidc({ fetch, requirePlace: createPlaceCheck(parts.external), keys, clock })
  const store = people.store
  const room: ExternalRoom = {
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
    travel: createTravel({ flows, oidc, github: createGithub({ fetch, usual: places?.github ?? usualGithub }) }),
    judge: createJudge({ database, store, identities, groups }),
    settle: createSettle({
      store,
      identities,
      groups,
      endings,
      vault,
      audit,
      clock,
      followRole: createRoleFollower({ store, endings, audit, clock, standing: people.standing }),
    }),
    async originOf(context) {
      const origin = await parts.ownOrigins.of(context)
      if (origin === null) throw new ExternalFailure('place-unknown', unknownOrigin)
      return origin
    },
    sessions: createSessionReader({ database, clock }),
    async letGoOfGroups(accountId, providerId) {
      const { added, removed } = await groups.setGroups(accountId, sourceOf({ id: providerId }), [])
      if (added.length + removed.length > 0) await endings.tell(accountId, [])
    },
  }
  const logout = createExternalLogout(parts, room)
  return {
    handlers: {
      ...externalSignInHandlers(parts, room),
      ...identityHandlers(parts, room),
      ...providerHandlers(parts, room),
      ...logout.handlers,
    },
    /** Where a session has to be ended besides; null for none. */
    logoutAddress: logout.addressOf,
    /** What the providers are called, by the source that memberships from them have. */
    async sourceNames(): Promise<Map<string, string>> {
      return new Map((await room.providers.list()).map((provider) => [sourceOf(provider), provider.name]))
    },
  }
}

/** Which accounts can sign in with a provider. */
export const externalMeans =
  ({ database }: { database: Database }): MeansReader =>
  async (accountIds) => {
    if (accountIds.length === 0) return new Map()
    const rows = await database
      .tables<ExternalTables>()
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

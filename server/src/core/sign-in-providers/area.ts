/** The area of sign-in providers, as `compose()` creates it. */
import { signInProvidersArea } from '@atrium/contract/sign-in-providers'
import { defineArea } from '../../platform/areas/define-area.ts'
import { hostAndPort } from '../../platform/outbound/destination.ts'
import type { Accounts } from '../accounts/index.ts'
import type { GroupsArea } from '../groups/index.ts'
import type { Settings } from '../settings/index.ts'
import { type EnvironmentProvider, createSignInProviders, signInProviderMigrations } from './index.ts'

export interface SignInProviderSettings {
  readonly providers: readonly EnvironmentProvider[]
  readonly baseUrl: URL | undefined
}

export const signInProviders = defineArea(signInProvidersArea)<
  { accounts: Accounts; groups: GroupsArea; settings: Settings },
  SignInProviderSettings
>()({
  needs: ['accounts', 'groups', 'settings'],
  migrations: signInProviderMigrations,
  create(platform, { accounts, groups, settings }, { providers, baseUrl }) {
    const api = createSignInProviders({
      ...platform,
      accounts,
      groups,
      baseUrl,
      signupEnabled: settings.signupEnabled,
      oauth: {
        environment: providers,
        outbound: platform.outbound,
        allowedAddresses: async () => new Set([...(await settings.allowedAddresses()), ...issuerAddresses(providers)]),
        allowAddress: settings.allowAddress,
      },
    })
    return { handlers: api.handlers, api }
  },
})

/** Who names an issuer in the environment has allowed its host and port. */
export const issuerAddresses = (providers: readonly EnvironmentProvider[]): string[] =>
  providers.flatMap(({ issuerUrl }) => (issuerUrl ? [hostAndPort(issuerUrl)] : []))

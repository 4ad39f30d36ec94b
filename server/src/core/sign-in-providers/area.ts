/** The area of sign-in providers, as `compose()` creates it. */
import { signInProvidersArea } from '@atrium/contract/sign-in-providers'
import { defineArea } from '../../platform/areas/define-area.ts'
import { BASE_URL } from '../../platform/settings/index.ts'
import { hostAndPort } from '../../platform/outbound/destination.ts'
import type { Accounts } from '../accounts/index.ts'
import type { GroupsArea } from '../groups/index.ts'
import type { Settings } from '../settings/index.ts'
import {
  createSignInProviders,
  environmentProviders,
  signInProviderMigrations,
  signInProviderSealed,
  signInProviderSettings,
} from './index.ts'

export const signInProviders = defineArea(signInProvidersArea)<{
  accounts: Accounts
  groups: GroupsArea
  settings: Settings
}>()({
  needs: ['accounts', 'groups', 'settings'],
  migrations: signInProviderMigrations,
  sealed: signInProviderSealed,
  settings: { ...signInProviderSettings, BASE_URL },
  create(platform, { accounts, groups, settings }, { BASE_URL: baseUrl, ...variables }) {
    const providers = environmentProviders(variables)
    const issuers = providers.flatMap(({ issuerUrl }) => (issuerUrl ? [hostAndPort(issuerUrl)] : []))
    const api = createSignInProviders({
      ...platform,
      accounts,
      groups,
      baseUrl,
      signupEnabled: settings.signupEnabled,
      oauth: {
        environment: providers,
        outbound: platform.outbound,
        // Who names an issuer in the environment has allowed its host and port.
        allowedAddresses: async () => new Set([...(await settings.allowedAddresses()), ...issuers]),
        allowAddress: settings.allowAddress,
      },
    })
    return { handlers: api.handlers, api }
  },
})

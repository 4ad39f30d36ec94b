/** The routes of accounts, sign-in providers and API tokens, which the contract has in one table. */
import { accountsRoutes } from '@atrium/contract/accounts'
import { apiTokensRoutes } from '@atrium/contract/api-tokens'
import { signInProvidersRoutes } from '@atrium/contract/sign-in-providers'
import { type Accounts, accountMigrations } from '../core/accounts/index.ts'
import type { ApiTokensArea } from '../core/api-tokens/index.ts'
import type { SignInProviders } from '../core/sign-in-providers/index.ts'
import { type Area, defineArea } from '../platform/http/area.ts'

export const authenticationArea = (areas: {
  accounts: Pick<Accounts, 'handlers' | 'jobs'>
  signInProviders: Pick<SignInProviders, 'handlers'>
  apiTokens: Pick<ApiTokensArea, 'handlers'>
}): Area =>
  defineArea({
    name: 'authentication',
    routes: { ...accountsRoutes, ...signInProvidersRoutes, ...apiTokensRoutes },
    handlers: { ...areas.accounts.handlers, ...areas.signInProviders.handlers, ...areas.apiTokens.handlers },
    jobs: areas.accounts.jobs,
    migrations: accountMigrations,
  })

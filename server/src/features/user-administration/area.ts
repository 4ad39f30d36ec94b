/** The area of user administration, as `compose()` creates it. */
import { userAdministrationArea } from '@atrium/contract/user-administration'
import type { Features } from '../../core/access/index.ts'
import type { Accounts } from '../../core/accounts/index.ts'
import type { ApiTokensArea } from '../../core/api-tokens/index.ts'
import type { Connections } from '../../core/connections/index.ts'
import type { GroupsArea } from '../../core/groups/index.ts'
import type { Settings } from '../../core/settings/index.ts'
import type { SignInProviders } from '../../core/sign-in-providers/index.ts'
import type { Usage } from '../../core/usage/index.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import { createUserAdministration } from './index.ts'

interface Needs {
  readonly access: { readonly features: Features }
  readonly connections: Connections
  readonly settings: Settings
  readonly accounts: Accounts
  readonly groups: GroupsArea
  readonly 'sign-in-providers': SignInProviders
  readonly 'api-tokens': ApiTokensArea
  readonly usage: Usage
}

export const userAdministration = defineArea(userAdministrationArea)<Needs>()({
  needs: ['access', 'accounts', 'connections', 'groups', 'settings', 'sign-in-providers', 'api-tokens', 'usage'],
  create: ({ audit, files }, needs) => ({
    ...createUserAdministration({
      audit,
      accounts: needs.accounts,
      groups: needs.groups,
      signInProviders: needs['sign-in-providers'],
      apiTokens: needs['api-tokens'],
      storedBy: files.usedBy,
      spentBy: needs.usage.spentBy,
      ownBudgets: needs.usage.ownBudgets,
      features: needs.access.features,
      listModels: needs.connections.listModels,
      storageQuota: async () => (await needs.settings.instance()).storageQuotaBytes.value,
    }),
    api: undefined,
  }),
})

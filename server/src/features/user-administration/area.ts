/** The area of user administration, as `compose()` creates it. */
import { userAdministrationArea } from '@atrium/contract/user-administration'
import type { Accounts } from '../../core/accounts/index.ts'
import type { ApiTokensArea } from '../../core/api-tokens/index.ts'
import type { GroupsArea } from '../../core/groups/index.ts'
import type { SignInProviders } from '../../core/sign-in-providers/index.ts'
import type { Usage } from '../../core/usage/index.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import { createUserAdministration } from './index.ts'

interface Needs {
  readonly accounts: Accounts
  readonly groups: GroupsArea
  readonly 'sign-in-providers': SignInProviders
  readonly 'api-tokens': ApiTokensArea
  readonly usage: Usage
}

export const userAdministration = defineArea(userAdministrationArea)<Needs>()({
  needs: ['accounts', 'groups', 'sign-in-providers', 'api-tokens', 'usage'],
  create: ({ audit, files }, needs) => ({
    ...createUserAdministration({
      audit,
      accounts: needs.accounts,
      groups: needs.groups,
      signInProviders: needs['sign-in-providers'],
      apiTokens: needs['api-tokens'],
      storedBy: files.usedBy,
      spentBy: needs.usage.spentBy,
    }),
    api: undefined,
  }),
})

/** The area of SCIM, as `compose()` creates it. */
import { scimArea } from '@atrium/contract/scim'
import type { Accounts } from '../../core/accounts/index.ts'
import type { GroupsArea } from '../../core/groups/index.ts'
import type { SignInProviders } from '../../core/sign-in-providers/index.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import { BASE_URL } from '../../platform/settings/index.ts'
import { createScim, scimMigrations, scimSealed } from './index.ts'

interface Needs {
  readonly accounts: Accounts
  readonly groups: GroupsArea
  readonly 'sign-in-providers': SignInProviders
}

export const scim = defineArea(scimArea)<Needs>()({
  needs: ['accounts', 'groups', 'sign-in-providers'],
  migrations: scimMigrations,
  sealed: scimSealed,
  settings: { BASE_URL },
  create(platform, { accounts, groups, 'sign-in-providers': signInProviders }, { BASE_URL: baseUrl }) {
    const api = createScim({ ...platform, accounts, groups, signInProviders, baseUrl })
    return { ...api.area, api }
  },
})

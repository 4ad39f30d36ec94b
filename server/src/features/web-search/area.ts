/** The area of web search, as `compose()` creates it. */
import { webSearchArea } from '@atrium/contract/web-search'
import type { Accounts } from '../../core/accounts/index.ts'
import type { Settings } from '../../core/settings/index.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import { createWebSearch, webSearchSettings } from './index.ts'

interface Needs {
  readonly access: { registerFeature(name: string, mayUse: (accountId: string) => Promise<boolean>): void }
  readonly accounts: Accounts
  readonly settings: Settings
}

export const webSearch = defineArea(webSearchArea)<Needs>()({
  needs: ['access', 'accounts', 'settings'],
  settings: webSearchSettings,
  create(platform, { access, accounts, settings }, { search }) {
    const api = createWebSearch({
      ...platform,
      settings: search,
      allowAddress: settings.allowAddress,
      async roleOf(accountId) {
        const user = await accounts.user(accountId)
        return user?.status === 'active' ? user.role : null
      },
    })
    access.registerFeature('web-search', api.isAllowed)
    return { ...api.area, api, tools: api.tools }
  },
})

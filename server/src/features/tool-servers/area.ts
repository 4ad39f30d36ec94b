/** The area of tool servers, as `compose()` creates it. */
import { toolServersArea } from '@atrium/contract/tool-servers'
import { type Access, switchChange, switchRule } from '../../core/access/index.ts'
import type { Accounts } from '../../core/accounts/index.ts'
import type { Settings } from '../../core/settings/index.ts'
import type { Tools } from '../../core/tools/index.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import { BASE_URL } from '../../platform/settings/index.ts'
import { personalFeature } from './context.ts'
import { createToolServers } from './index.ts'
import { toolOAuthMigrations, toolOAuthSealed } from './oauth/index.ts'
import { toolServersSettings } from './settings.ts'
import { toolServerMigrations, toolServerSealed } from './tables.ts'

interface Needs {
  readonly access: Access
  readonly accounts: Accounts
  readonly settings: Settings
  readonly tools: Pick<Tools, 'addSource' | 'endStanding' | 'mayUse'>
}

export const toolServers = defineArea(toolServersArea)<Needs>()({
  needs: ['access', 'accounts', 'settings', 'tools'],
  migrations: [...toolServerMigrations, ...toolOAuthMigrations],
  sealed: [...toolServerSealed, ...toolOAuthSealed],
  settings: { ...toolServersSettings, BASE_URL },
  create(
    platform,
    { access, accounts, settings, tools },
    { BASE_URL: baseUrl, TOOLS_STDIO_FILE: stdioFile, personal },
  ) {
    const { features } = access
    features.register({
      name: personalFeature,
      refusal: 'personal_tool_servers_off',
      async read() {
        const { allowed, audience, groupIds } = await personal.read()
        return switchRule(allowed, audience, groupIds)
      },
      async save({ mode, groupIds }, rule) {
        const { on, audience } = switchChange(mode, rule)
        await personal.change({ allowed: on, audience, groupIds: [...groupIds] })
      },
    })
    const { source, ...parts } = createToolServers({
      ...platform,
      access,
      accounts,
      allowedAddresses: settings.allowedAddresses,
      baseUrl,
      features,
      async savePersonal(allowed) {
        await personal.change({ allowed })
        await features.changed()
      },
      stdioFile,
      endStanding: tools.endStanding,
      mayUseTools: tools.mayUse,
      async roleOf(accountId) {
        const user = await accounts.user(accountId)
        return user?.status === 'active' ? user.role : null
      },
    })
    tools.addSource(source)
    return { ...parts, api: undefined }
  },
})

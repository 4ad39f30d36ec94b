/** The area of tool servers, as `compose()` creates it. */
import { toolServersArea } from '@atrium/contract/tool-servers'
import type { Access } from '../../core/access/index.ts'
import type { Accounts } from '../../core/accounts/index.ts'
import type { Tools } from '../../core/tools/index.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import { createToolServers } from './index.ts'
import { toolServersSettings } from './settings.ts'
import { toolServerMigrations, toolServerSealed } from './tables.ts'

interface Needs {
  readonly access: Access
  readonly accounts: Accounts
  readonly tools: Pick<Tools, 'addSource' | 'endStanding'>
}

export const toolServers = defineArea(toolServersArea)<Needs>()({
  needs: ['access', 'accounts', 'tools'],
  migrations: toolServerMigrations,
  sealed: toolServerSealed,
  settings: toolServersSettings,
  create(platform, { access, accounts, tools }, { TOOLS_STDIO_FILE: stdioFile }) {
    const { source, ...parts } = createToolServers({
      ...platform,
      access,
      stdioFile,
      endStanding: tools.endStanding,
      async roleOf(accountId) {
        const user = await accounts.user(accountId)
        return user?.status === 'active' ? user.role : null
      },
    })
    tools.addSource(source)
    return { ...parts, api: undefined }
  },
})

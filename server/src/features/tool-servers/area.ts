/** The area of tool servers, as `compose()` creates it. */
import { toolServersArea } from '@atrium/contract/tool-servers'
import type { Access } from '../../core/access/index.ts'
import type { Accounts } from '../../core/accounts/index.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import { createToolServers } from './index.ts'
import { toolServerMigrations, toolServerSealed } from './tables.ts'

export const toolServers = defineArea(toolServersArea)<{ access: Access; accounts: Accounts }>()({
  needs: ['access', 'accounts'],
  migrations: toolServerMigrations,
  sealed: toolServerSealed,
  create(platform, { access, accounts }) {
    const { source, ...parts } = createToolServers({
      ...platform,
      access,
      endStanding: async () => undefined,
      async isAdministrator(accountId) {
        const user = await accounts.user(accountId)
        return user?.role === 'admin' && user.status === 'active'
      },
    })
    return { ...parts, api: { source } }
  },
})

/** The area of usage, as `compose()` creates it. */
import { usageArea } from '@atrium/contract/usage'
import { defineArea } from '../../platform/areas/define-area.ts'
import type { Accounts } from '../accounts/index.ts'
import type { ApiTokensArea } from '../api-tokens/index.ts'
import { type GroupsArea, groupMemberships } from '../groups/index.ts'
import type { Notifications } from '../notifications/index.ts'
import { type FindPrincipal, createUsage, usageMigrations, usageSettings } from './index.ts'
import { createUsageRecorder, defineUsageMetrics } from './metrics.ts'

interface Needs {
  readonly accounts: Accounts
  readonly groups: GroupsArea
  readonly notifications: Notifications
  readonly 'api-tokens': ApiTokensArea
}

export const usage = defineArea(usageArea)<Needs>()({
  needs: ['accounts', 'groups', 'api-tokens', 'notifications'],
  migrations: usageMigrations,
  settings: usageSettings,
  metrics: defineUsageMetrics,
  create(platform, needs, { recording }) {
    const { groups, 'api-tokens': apiTokens } = needs
    const api = createUsage({
      ...platform,
      notifications: needs.notifications,
      recorder: platform.metrics && createUsageRecorder(platform.metrics),
      findPrincipal: findPrincipals(needs),
      groupsOf: groups.idsOf,
      groupNames: groups.names,
      memberships: groupMemberships,
      recording,
    })
    apiTokens.registerBudgets(api.tokenBudgets)
    groups.onRemoved(api.removeGroup)
    return { ...api.area, api, accountRemoved: api.removeAccount, start: api.begin, stop: api.stop }
  },
})

/** Who a budget may be for. */
const findPrincipals =
  ({ accounts, groups, 'api-tokens': apiTokens }: Needs): FindPrincipal =>
  async (type, id) => {
    if (type === 'account') {
      const user = await accounts.user(id)
      return user && { name: user.username, accountId: user.id }
    }
    if (type === 'token') return await apiTokens.owner(id)
    const group = await groups.find(id)
    return group && { name: group.name, accountId: null }
  }

/** Tools, as `compose()` creates them. */
import { toolsArea } from '@atrium/contract/tools'
import { defineArea } from '../../platform/areas/define-area.ts'
import type { Features } from '../access/index.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Settings } from '../settings/index.ts'
import type { Notifications } from '../notifications/index.ts'
import type { Usage } from '../usage/index.ts'
import { createCallRecorder, toolMetrics } from './metrics.ts'
import { createTools, declareTools, toolsMigrations, toolsSealed, toolsSettings } from './index.ts'

interface Needs {
  readonly access: { readonly features: Features }
  readonly accounts: Pick<Accounts, 'user'>
  readonly notifications: Pick<Notifications, 'publisher'>
  readonly settings: Pick<Settings, 'preferencesOf'>
  readonly usage: Pick<Usage, 'isRecorded'>
}

export const tools = defineArea(toolsArea)<Needs>()({
  needs: ['access', 'accounts', 'notifications', 'settings', 'usage'],
  migrations: toolsMigrations,
  sealed: toolsSealed,
  settings: toolsSettings,
  metrics: () => toolMetrics,
  create(platform, { access: { features }, accounts, notifications, settings, usage }, { access }) {
    features.register(declareTools(access))
    return createTools({
      ...platform,
      features,
      notifications,
      countsCalls: usage.isRecorded,
      recordCall: platform.metrics && createCallRecorder(platform.metrics),
      settings: access,
      async roleOf(accountId) {
        const user = await accounts.user(accountId)
        return user?.status === 'active' ? user.role : null
      },
      async timeZoneOf(accountId) {
        const { timeZone } = await settings.preferencesOf(accountId)
        return timeZone === 'system' ? null : timeZone
      },
    })
  },
})

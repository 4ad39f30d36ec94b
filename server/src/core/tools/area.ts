/** Tools, as `compose()` creates them. */
import { toolsArea } from '@atrium/contract/tools'
import { defineArea } from '../../platform/areas/define-area.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Settings } from '../settings/index.ts'
import type { Notifications } from '../notifications/index.ts'
import type { Usage } from '../usage/index.ts'
import { createCallRecorder, toolMetrics } from './metrics.ts'
import { createTools, toolsMigrations, toolsSealed, toolsSettings } from './index.ts'

interface Needs {
  readonly accounts: Pick<Accounts, 'user'>
  readonly notifications: Pick<Notifications, 'publisher'>
  readonly settings: Pick<Settings, 'preferencesOf'>
  readonly usage: Pick<Usage, 'isRecorded'>
}

export const tools = defineArea(toolsArea)<Needs>()({
  needs: ['accounts', 'notifications', 'settings', 'usage'],
  migrations: toolsMigrations,
  sealed: toolsSealed,
  settings: toolsSettings,
  metrics: () => toolMetrics,
  create: (platform, { accounts, notifications, settings, usage }, { access }) =>
    createTools({
      ...platform,
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
    }),
})

/** The area of calendars, as `compose()` creates it. */
import { calendarArea } from '@atrium/contract/calendar'
import type { Access } from '../../core/access/index.ts'
import type { Accounts } from '../../core/accounts/index.ts'
import type { Connections } from '../../core/connections/index.ts'
import { isAgent, isExcerpts } from '../../core/generation/index.ts'
import type { Mail } from '../../core/mail/index.ts'
import type { Notifications } from '../../core/notifications/index.ts'
import type { Settings } from '../../core/settings/index.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import { createCalendar } from './index.ts'
import { calendarMigrations, calendarSealed } from './tables.ts'

export const calendar = defineArea(calendarArea)<{
  access: Access
  accounts: Accounts
  connections: Connections
  mail: Mail
  notifications: Notifications
  settings: Settings
}>()({
  needs: ['access', 'accounts', 'connections', 'mail', 'notifications', 'settings'],
  migrations: calendarMigrations,
  sealed: calendarSealed,
  create(platform, { access, accounts, connections, mail, notifications, settings }) {
    const { startsIn, chatOfEvent, ...area } = createCalendar({
      ...platform,
      access,
      notifications,
      address: mail.address,
      isActive: async (accountId) => (await accounts.accountNames.find(accountId)) !== null,
      accountByUsername: accounts.store.usernameOwner,
      namesOf: accounts.accountNames.names,
      async defaultModel(accountId) {
        const selection = (await connections.listModels(accountId)).fallback?.selection
        if (!selection || isExcerpts(selection) || isAgent(selection)) return null
        const found = await connections.resolve(accountId, selection)
        return 'model' in found ? found.model : null
      },
      async zoneOf(accountId) {
        const { timeZone } = await settings.preferencesOf(accountId)
        return timeZone === 'system' ? null : timeZone
      },
    })
    return { ...area, api: { startsIn, chatOfEvent } }
  },
})

/** The area of webhooks, as `compose()` creates it. */
import { webhooksArea } from '@atrium/contract/webhooks'
import { defineArea } from '../../platform/areas/define-area.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Mail } from '../mail/index.ts'
import type { Notifications } from '../notifications/index.ts'
import { createWebhooks, webhookMigrations, webhookSealed } from './index.ts'

interface Needs {
  readonly accounts: Pick<Accounts, 'accountNames' | 'administratorIds'>
  readonly mail: Pick<Mail, 'address'>
  readonly notifications: Pick<Notifications, 'publish'>
}

export const webhooks = defineArea(webhooksArea)<Needs>()({
  needs: ['accounts', 'mail', 'notifications'],
  migrations: webhookMigrations,
  sealed: webhookSealed,
  create: (platform, { accounts, mail, notifications }) =>
    createWebhooks({
      ...platform,
      accounts: {
        administratorIds: accounts.administratorIds,
        isActive: async (accountId) => (await accounts.accountNames.find(accountId)) !== null,
      },
      publish: notifications.publish,
      address: mail.address,
    }),
})

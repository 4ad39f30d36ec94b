/** The area of deliveries, as `compose()` creates it. */
import { deliveriesArea } from '@atrium/contract/deliveries'
import { defaultLanguage } from '@atrium/contract/languages'
import { isMailedElsewhere } from '@atrium/contract/notifications'
import { defineArea } from '../../platform/areas/define-area.ts'
import type { Slot } from '../../platform/slot.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Mail } from '../mail/index.ts'
import type { Deliveries, Notifications } from '../notifications/index.ts'
import type { PresenceArea } from '../presence/index.ts'
import type { Push } from '../push/index.ts'
import type { Settings } from '../settings/index.ts'
import type { Webhooks } from '../webhooks/index.ts'
import { createDigests } from './digest.ts'
import { createDeliveries, createOutcomes, deliveryMigrations, describeNotification, sentTo } from './index.ts'
import { createLetters } from './letters.ts'
import { pushMessages } from './push-messages.ts'
import { createDeliveryStore } from './store.ts'
import { unsubscribeHandlers } from './unsubscribe.ts'

interface Needs {
  readonly accounts: Pick<Accounts, 'user'>
  readonly mail: Pick<Mail, 'address' | 'direct' | 'workspaceName'>
  readonly notifications: Pick<Notifications, 'read' | 'preferencesOf' | 'stopMail' | 'unreadAmong'> & {
    readonly deliveries: Slot<Deliveries>
  }
  readonly presence: Pick<PresenceArea, 'isPresent' | 'quietUntil'>
  readonly push: Pick<Push, 'deliver' | 'messages'>
  readonly settings: Pick<Settings, 'preferencesOf'>
  readonly webhooks: Pick<Webhooks, 'deliver'>
}

export const deliveries = defineArea(deliveriesArea)<Needs>()({
  needs: ['accounts', 'mail', 'notifications', 'presence', 'push', 'settings', 'webhooks'],
  migrations: deliveryMigrations,
  create(platform, { accounts, mail, notifications, presence, push, settings, webhooks }) {
    push.messages.fill(pushMessages(notifications))
    const languageOf = async (accountId: string) => {
      const { language } = await settings.preferencesOf(accountId)
      return language === 'system' ? defaultLanguage : language
    }
    const { user } = accounts
    const note = createOutcomes(platform)
    const letterDeps = { ...platform, mail, notifications, note, user, languageOf }
    const letters = createLetters(letterDeps)
    const digests = createDigests({ ...letterDeps, waiting: createDeliveryStore(platform.database).waitingForDigest })
    const { deliveries, ...parts } = createDeliveries({
      ...platform,
      notifications,
      presence,
      ways: {
        push: async (delivery) => sentTo(await push.deliver(delivery)),
        async mail(delivery, preferences) {
          if (preferences.kinds[delivery.kind].mail === 'digest') return await digests.deliver(delivery, preferences)
          if (!isMailedElsewhere(delivery.kind)) return await letters.deliver(delivery)
          return sentTo((await user(delivery.accountId))?.email ? 1 : 0)
        },
        webhook: async (delivery) =>
          sentTo(
            await webhooks.deliver({
              ...delivery,
              async words() {
                const notification = await notifications.read(delivery.accountId, delivery.notificationId)
                return notification && describeNotification(notification, await languageOf(delivery.accountId))
              },
            }),
          ),
      },
    })
    notifications.deliveries.fill(deliveries)
    const { vault } = platform
    return {
      ...parts,
      jobs: { ...parts.jobs, ...letters.jobs, ...digests.jobs },
      handlers: unsubscribeHandlers({ vault, notifications, user }),
      api: undefined,
    }
  },
})

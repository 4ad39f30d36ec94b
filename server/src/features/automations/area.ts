/** The area of automations, as `compose()` creates it. */
import { automationsArea } from '@atrium/contract/automations'
import type { Accounts } from '../../core/accounts/index.ts'
import type { CollectedDocument, Documents } from '../../core/documents/index.ts'
import type { UnattendedChats } from '../../core/generation/index.ts'
import type { Mail } from '../../core/mail/index.ts'
import type { Notifications, PublishedNotification } from '../../core/notifications/index.ts'
import type { Settings } from '../../core/settings/index.ts'
import type { Webhooks } from '../../core/webhooks/index.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import type { EventWatch } from '../../platform/areas/event-watch.ts'
import type { Slot } from '../../platform/slot.ts'
import type { CalendarStarts, ChannelPosts } from './context.ts'
import { toNotificationEvent } from './events/rules.ts'
import { createAutomations } from './index.ts'
import { automationMigrations } from './migrations.ts'
import { automationSealed } from './tables.ts'

type Watched<Happening> = { readonly watch: Slot<EventWatch<Happening>> }

interface Needs {
  readonly accounts: Pick<Accounts, 'user'>
  readonly calendar: CalendarStarts
  readonly channels: { readonly unattended: ChannelPosts } & Watched<{
    readonly channelId: string
    readonly messageId: string
  }>
  readonly chat: { readonly unattended: UnattendedChats }
  readonly documents: Pick<Documents, 'readsCollection' | 'readCollected'> & Watched<CollectedDocument>
  readonly mail: Pick<Mail, 'address' | 'available' | 'direct' | 'workspaceName'>
  readonly notifications: Pick<Notifications, 'publisher' | 'read'> & Watched<PublishedNotification>
  readonly settings: Pick<Settings, 'preferencesOf'>
  readonly webhooks: Pick<Webhooks, 'isOn' | 'sourceOf' | 'sendToOwn'>
}

export const automations = defineArea(automationsArea)<Needs>()({
  needs: ['accounts', 'calendar', 'channels', 'chat', 'documents', 'mail', 'notifications', 'settings', 'webhooks'],
  migrations: automationMigrations,
  sealed: automationSealed,
  create(platform, { accounts, calendar, channels, chat, documents, mail, notifications, settings, webhooks }) {
    const { watchFor, ...parts } = createAutomations({
      ...platform,
      chats: chat.unattended,
      channels: channels.unattended,
      address: mail.address,
      calendar,
      documents,
      notifications,
      mail,
      webhooks,
      user: accounts.user,
      async languageOf(accountId) {
        const { language } = await settings.preferencesOf(accountId)
        return language === 'system' ? null : language
      },
    })
    channels.watch.fill(
      watchFor(({ channelId, messageId }) => ({ kind: 'channel-message', placeId: channelId, sourceId: messageId })),
    )
    documents.watch.fill(
      watchFor(({ collectionId, documentId }) => ({
        kind: 'collection-document',
        placeId: collectionId,
        sourceId: documentId,
      })),
    )
    notifications.watch.fill(watchFor(toNotificationEvent))
    return { ...parts, api: undefined }
  },
})

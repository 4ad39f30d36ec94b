/** The area of automations, as `compose()` creates it. */
import { automationsArea } from '@atrium/contract/automations'
import type { UnattendedChats } from '../../core/generation/index.ts'
import type { Mail } from '../../core/mail/index.ts'
import type { Notifications } from '../../core/notifications/index.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import type { ChannelPosts } from './context.ts'
import { createAutomations } from './index.ts'
import { automationMigrations, automationSealed } from './tables.ts'

interface Needs {
  readonly channels: { readonly unattended: ChannelPosts }
  readonly chat: { readonly unattended: UnattendedChats }
  readonly mail: Pick<Mail, 'address'>
  readonly notifications: Pick<Notifications, 'publisher'>
}

export const automations = defineArea(automationsArea)<Needs>()({
  needs: ['channels', 'chat', 'mail', 'notifications'],
  migrations: automationMigrations,
  sealed: automationSealed,
  create: (platform, { channels, chat, mail, notifications }) => ({
    ...createAutomations({
      ...platform,
      chats: chat.unattended,
      channels: channels.unattended,
      address: mail.address,
      notifications,
    }),
    api: undefined,
  }),
})

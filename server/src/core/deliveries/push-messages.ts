/** What a push message says of a notification. */
import type { Notifications } from '../notifications/index.ts'
import type { MessageOf, PushMessage } from '../push/index.ts'
import { describeNotification } from './sentences.ts'

const daySeconds = 24 * 3600
/** What is soon over, in seconds; all else is worth telling for a day. */
const shortLived: Readonly<Record<string, number>> = { reminder: 3600 }
const urgent: ReadonlySet<string> = new Set(['mention', 'direct-message', 'reminder', 'security', 'tool-approval'])

/** null: it was read, put off, done or taken back meanwhile. Words go along only where their reader lets them. */
export const pushMessages =
  (notifications: Pick<Notifications, 'preferencesOf' | 'read'>): MessageOf =>
  async (accountId, notificationId, language): Promise<PushMessage | null> => {
    const notification = await notifications.read(accountId, notificationId)
    if (!notification || notification.readAt !== null || notification.doneAt !== null) return null
    if (notification.snoozedUntil !== null) return null
    const { words } = await notifications.preferencesOf(accountId)
    const { title, body } = describeNotification(notification, language)
    return {
      title,
      body: words ? body : '',
      href: `/notifications/${notificationId}`,
      tag: notificationId,
      language,
      at: Date.parse(notification.at),
      urgency: urgent.has(notification.kind) ? 'high' : 'normal',
      ttlSeconds: shortLived[notification.kind] ?? daySeconds,
    }
  }

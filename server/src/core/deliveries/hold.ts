/** What holds a notification back: a choice not to be disturbed, quiet hours, or that its reader is at a page. */
import { isAlwaysTold, type NotificationPreferences } from '@atrium/contract/notifications'
import type { Platform } from '../../platform/platform.ts'
import { endOfQuiet, type Notifications } from '../notifications/index.ts'
import type { PresenceArea } from '../presence/index.ts'
import type { Outcome } from './index.ts'
import type { DeliveryRow } from './tables.ts'

export interface HoldDeps extends Pick<Platform, 'clock'> {
  readonly notifications: Pick<Notifications, 'read'>
  readonly presence: Pick<PresenceArea, 'isPresent' | 'quietUntil'>
}

export interface Hold {
  readonly outcome: Outcome
  /** When it is looked at again (milliseconds); null: it is not. */
  readonly lookAt: number | null
  /** Webhooks are held, too. Nobody sits at them, so that one is at a page holds none. */
  readonly holdsWebhooks: boolean
}

/** Between two looks whether somebody still is not to be disturbed, or at a page. */
const looksMs = { disturb: 5 * 60_000, present: 60_000 }

/** null: nothing holds it. What is about the safety of an account is never held. */
export const holdOf = async (
  { clock, notifications, presence }: HoldDeps,
  { account_id: accountId, notification_id: notificationId, kind }: DeliveryRow,
  preferences: NotificationPreferences,
): Promise<Hold | null> => {
  if (isAlwaysTold(kind)) return null
  const now = clock.now()
  const disturbedFrom = await presence.quietUntil(accountId)
  if (disturbedFrom !== null && disturbedFrom > now)
    return {
      outcome: { state: 'waiting', reason: 'do-not-disturb', at: disturbedFrom },
      // It may end before its time.
      lookAt: Math.min(disturbedFrom, now + looksMs.disturb),
      holdsWebhooks: true,
    }
  const quietUntil = endOfQuiet(preferences, now)
  // Where quiet never ends, nothing is told.
  if (quietUntil === null)
    return { outcome: { state: 'not-sent', reason: 'quiet-hours' }, lookAt: null, holdsWebhooks: true }
  if (quietUntil > now)
    return {
      outcome: { state: 'waiting', reason: 'quiet-hours', at: quietUntil },
      lookAt: quietUntil,
      holdsWebhooks: true,
    }
  if (!preferences.onlyWhenAway || !(await presence.isPresent(accountId))) return null
  const notification = await notifications.read(accountId, notificationId)
  const isSeen = !notification || notification.readAt !== null || notification.doneAt !== null
  const lookAt = isSeen ? null : now + looksMs.present
  return {
    outcome: isSeen
      ? { state: 'not-sent', reason: 'read-before' }
      : { state: 'waiting', reason: 'present', at: now + looksMs.present },
    lookAt,
    holdsWebhooks: false,
  }
}

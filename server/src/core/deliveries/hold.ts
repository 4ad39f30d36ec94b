/** What delays a notification: do not disturb, quiet hours, or that its reader is active on a page. */
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
  /** Whether webhooks wait, too. An active reader delays only push and mail, as no person reads a webhook. */
  readonly holdsWebhooks: boolean
}

/** How often it is checked whether the reason still holds. */
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
  // Quiet hours that never end.
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

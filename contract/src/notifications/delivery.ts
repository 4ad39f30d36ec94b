/** By which ways a notification reached its reader, or why it did not. */
import { z } from 'zod'
import { Time } from '../common.ts'
import { NotificationWay } from './preferences.ts'

/** `sent`: handed over to what carries it, such as a push service or a mail server. */
export const DeliveryState = z.enum(['sent', 'waiting', 'not-sent'])
export type DeliveryState = z.infer<typeof DeliveryState>

export const DeliveryReason = z.enum([
  /** The reader switched this way off for this kind. */
  'kind-off',
  'do-not-disturb',
  'quiet-hours',
  'digest',
  /** The reader had a page open, and wants push and mail only when away. */
  'present',
  /** There is no browser, no confirmed address or no webhook for it. */
  'no-destination',
  /** It was read, done or taken back before it could be sent. */
  'read-before',
  /** What carries it did not take it. */
  'refused',
])
export type DeliveryReason = z.infer<typeof DeliveryReason>

export const NotificationDelivery = z.strictObject({
  /** `app`: the inbox. */
  way: z.enum(['app', ...NotificationWay.options]),
  state: DeliveryState,
  reason: DeliveryReason.nullable(),
  /** When that was so; where it waits for a time, until when. */
  at: Time,
})
export type NotificationDelivery = z.infer<typeof NotificationDelivery>

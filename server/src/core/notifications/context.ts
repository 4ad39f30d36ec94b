/** What publishes, and what areas above add to it. */
import type { EventWatch } from '../../platform/areas/event-watch.ts'
import type { NotificationContent, NotificationDelivery, NotificationWay } from '@atrium/contract/notifications'
import type { AnyTransaction } from '../../platform/db/types.ts'
import type { EventLog } from '../../platform/events/types.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Slot } from '../../platform/slot.ts'
import type { Vault } from '../../platform/vault/types.ts'

export type NotificationsDeps = Pick<Platform, 'announce' | 'clock' | 'database' | 'prepareAnnouncement'> & {
  readonly events: Pick<EventLog, 'follow' | 'lastSeqsAt'>
  readonly vault: Pick<Vault, 'blindIndex' | 'keyring'>
  readonly deliveries: Slot<Deliveries>
  /** Whoever waits for what accounts are told of. */
  readonly watch: Slot<EventWatch<PublishedNotification>>
}

/** Somebody is told of something. */
export type Publication = NotificationContent & {
  readonly accountId: string
  /**
   * What it comes from: ids only, as it can be read on the disk, such as `message:<id>`. The same source gives an account
   * one notification: a second time changes what it says and leaves it read, done or deleted as it is.
   */
  readonly sourceKey: string
  /** The thing that it is about, `<kind>:<id>`: with the thing, all that is about it can be withdrawn or settled. */
  readonly about?: string
  /** It happened once more: it is unread and first in the list again, also where it was done or deleted. */
  readonly again?: boolean
}

/** Notifications by what they came from, or all that are about things. */
export type Origin = { readonly sourceKeys: readonly string[] } | { readonly about: readonly string[] }

export interface Publisher {
  /** Tells one of the accounts that the publisher was made for. Nothing but `trx` is asked. */
  publish(trx: AnyTransaction, publication: Publication): Promise<void>
  /** Takes back what is not so any more, for everybody: its source was deleted, or may not be seen any more. */
  withdraw(trx: AnyTransaction, origin: Origin & { readonly accountId?: string }): Promise<void>
  /** An account saw it elsewhere: marks as read what happened until then (milliseconds; by default, now). */
  settle(trx: AnyTransaction, origin: Origin & { readonly accountId: string; readonly until?: number }): Promise<void>
  /** Call it once the transaction is committed: open pages and deliveries follow. */
  tell(): Promise<void>
}

/** What a notification became. */
export interface PublishedNotification {
  readonly id: string
  readonly accountId: string
  readonly kind: NotificationContent['kind']
  readonly version: number
  /** `again`: it happened once more, or was snoozed until now. */
  readonly change: 'new' | 'changed' | 'again'
}

/**
 * How notifications leave the inbox. Filled by what delivers them, which goes by the preferences of the account at that
 * time: by the ways of the kind, quiet hours, and whether words may leave.
 */
export interface Deliveries {
  /** Those that there are. Others are on no page. */
  readonly ways: readonly NotificationWay[]
  /** Within the transaction that writes the notification: writes what is to be delivered, by nothing but `trx`. */
  published(trx: AnyTransaction, notification: PublishedNotification): Promise<void>
  /** After it is committed: there may be something to deliver. */
  wake(): void
  /** What became of a notification of an account, by way; nothing of ways that were not looked at yet. */
  outcomesOf(accountId: string, notificationId: string): Promise<NotificationDelivery[]>
}

/** How notifications stand in rows: kind and facts sealed with the key of their account. */
import { NotificationContent, type Notification } from '@atrium/contract/notifications'
import { readableOf, storedJson } from '../../../platform/stored-json.ts'
import type { Keyring } from '../../../platform/vault/types.ts'
import type { NotificationRow } from '../tables.ts'

export const contentJson = storedJson('notifications.content', NotificationContent)

/** Those of the rows that can be read. */
export const toNotifications = (rows: readonly NotificationRow[], keyring: Keyring): Notification[] =>
  readableOf(rows, (row) => ({
    ...contentJson.open(keyring, row.id, row.content ?? new Uint8Array()),
    id: row.id,
    at: timeOf(row.happened_at),
    readAt: row.read_at === null ? null : timeOf(row.read_at),
    doneAt: row.done_at === null ? null : timeOf(row.done_at),
    snoozedUntil: row.snoozed_until === null ? null : timeOf(row.snoozed_until),
  }))

const timeOf = (time: number): string => new Date(time).toISOString()

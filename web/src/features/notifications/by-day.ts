/** Notifications under the days of the reader's clock, in their order. */
import type { Notification } from '@atrium/contract/notifications'

export interface DayOfNotifications {
  /** The first moment of the day, in milliseconds. */
  readonly day: number
  readonly items: readonly Notification[]
}

/** What is snoozed stands under the day on which it comes back. */
export function groupByDay(items: readonly Notification[]): DayOfNotifications[] {
  const groups = Map.groupBy(items, ({ at, snoozedUntil }) => dayOf(new Date(snoozedUntil ?? at)))
  return [...groups].map(([day, of]) => ({ day, items: of }))
}

const dayOf = (time: Date): number => new Date(time.getFullYear(), time.getMonth(), time.getDate()).getTime()

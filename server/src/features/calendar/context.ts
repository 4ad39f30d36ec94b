/** The context that the modules of the area share. */
import type { CalendarDeps } from './dependencies.ts'
import type { CalendarStore } from './stores/calendars.ts'
import type { EventStore } from './stores/events.ts'
import type { FeedStore } from './stores/feeds.ts'
import type { ReminderStore } from './stores/reminders.ts'
import type { SubscriptionStore } from './stores/subscriptions.ts'

export interface CalendarContext extends CalendarDeps {
  readonly calendars: CalendarStore
  readonly events: EventStore
  readonly feeds: FeedStore
  readonly reminders: ReminderStore
  readonly subscriptions: SubscriptionStore
}

/** Tells the open pages of these accounts that what they see has changed. */
export const announceTo = async (
  { announce }: Pick<CalendarContext, 'announce'>,
  accountIds: readonly string[],
): Promise<void> => {
  for (const accountId of new Set(accountIds)) await announce(accountId, { type: 'calendar-changed', data: {} })
}

/** Tells the owner, and everybody who reads one of the calendars. */
export const announceChange = async (
  context: CalendarContext,
  accountId: string,
  calendarIds: readonly (string | null)[],
): Promise<void> => {
  const ids = [...new Set(calendarIds)].filter((id) => id !== null)
  const readers = await Promise.all(ids.map((id) => context.access.listReaders('calendar', id)))
  await announceTo(context, [accountId, ...readers.flat()])
}

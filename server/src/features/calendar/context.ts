/** The context that the modules of the area share. */
import type { CalendarDeps } from './dependencies.ts'
import type { CalendarStore } from './stores/calendars.ts'
import type { EventStore } from './stores/events.ts'
import type { EventColorStore } from './stores/event-colors.ts'
import type { FeedStore } from './stores/feeds.ts'
import type { GuestStore } from './stores/guests.ts'
import type { ReminderStore } from './stores/reminders.ts'
import type { SubscriptionStore } from './stores/subscriptions.ts'
import type { TransferStore } from './stores/transfers.ts'

export interface CalendarContext extends CalendarDeps {
  readonly calendars: CalendarStore
  readonly events: EventStore
  readonly eventColors: EventColorStore
  readonly feeds: FeedStore
  readonly guests: GuestStore
  readonly reminders: ReminderStore
  readonly subscriptions: SubscriptionStore
  readonly transfers: TransferStore
}

/** Tells the open pages of these accounts that what they see has changed. */
export const announceTo = async (
  { announce }: Pick<CalendarContext, 'announce'>,
  accountIds: readonly string[],
): Promise<void> => {
  for (const accountId of new Set(accountIds)) await announce(accountId, { type: 'calendar-changed', data: {} })
}

/** Tells the owner, everybody who reads one of the calendars, and the guests of the events. */
export const announceChange = async (
  context: CalendarContext,
  accountId: string,
  calendarIds: readonly (string | null)[],
  eventIds: readonly string[] = [],
): Promise<void> => {
  const ids = [...new Set(calendarIds)].filter((id) => id !== null)
  const readers = await Promise.all(ids.map((id) => context.access.listReaders('calendar', id)))
  const invited = [...(await context.guests.ofEvents(eventIds)).values()].flat()
  await announceTo(context, [accountId, ...readers.flat(), ...invited.map((guest) => guest.accountId)])
}

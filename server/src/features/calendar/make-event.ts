/** An event as it is made: by a person, or by a tool for one. */
import { type EventContent as GivenContent, mostEvents } from '@atrium/contract/calendar'
import { fail } from '../../platform/http/refusal.ts'
import { type CalendarContext, announceChange } from './context.ts'
import { contentFrom } from './series/edits.ts'
import type { StoredEvent } from './stores/events.ts'

interface NewEvent {
  readonly id: string
  /** Whose it is. */
  readonly accountId: string
  /** Whoever makes it is reminded. */
  readonly makerId: string
  readonly given: GivenContent
}

/** Refuses with `event_limit`, and what does not do of its times or its repetition. */
export const makeEvent = async (
  context: CalendarContext,
  { id, accountId, makerId, given: { calendarId = null, reminders = [], ...given } }: NewEvent,
): Promise<StoredEvent> => {
  const now = context.clock.now()
  const event: StoredEvent = {
    id,
    accountId,
    calendarId,
    content: contentFrom(given, `${id}@atrium`),
    version: 1,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  }
  if (!(await context.events.put(accountId, [event], [], mostEvents))) throw fail('event_limit')
  if (reminders.length > 0) await context.events.setReminders(makerId, [id], reminders)
  await announceChange(context, accountId, [calendarId])
  return event
}

/** An event as it is made: by a person, or by a tool for one. */
import { type EventContent as GivenContent, mostEvents } from '@atrium/contract/calendar'
import type { AnyTransaction } from '../../platform/db/types.ts'
import { fail } from '../../platform/http/refusal.ts'
import { type CalendarContext, announceChange } from './context.ts'
import { contentFrom } from './series/edits.ts'
import { prepareGuestNotices, readGuests } from './guests/invite.ts'
import type { StoredEvent } from './stores/events.ts'

interface NewEvent {
  readonly id: string
  /** Whose it is. */
  readonly accountId: string
  /** Whoever makes it is reminded. */
  readonly makerId: string
  readonly given: GivenContent
  /** The chat in which a model makes it; null: a person does. */
  readonly fromChat: string | null
}

/** Refuses with `event_limit`, `guest_unknown`, and what does not do of its times or its repetition. */
export const makeEvent = async (
  context: CalendarContext,
  { id, accountId, makerId, given: { calendarId = null, reminders = [], guests = [], ...given }, fromChat }: NewEvent,
): Promise<StoredEvent> => {
  const now = context.clock.now()
  const event: StoredEvent = {
    id,
    accountId,
    calendarId,
    content: { ...contentFrom(given, `${id}@atrium`), ...(fromChat === null ? {} : { fromChat }) },
    version: 1,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  }
  const added = await readGuests(context, guests, accountId, [])
  const notices = await prepareGuestNotices(context, makerId, [{ event, guests: added, change: 'invited' }])
  const invite = async (trx: AnyTransaction): Promise<void> => {
    await context.guests.change(trx, id, { added, removed: [], at: now })
    await notices.publish(trx)
  }
  if (!(await context.events.put(accountId, [event], [], mostEvents, invite, new Map([[id, added]]))))
    throw fail('event_limit')
  await notices.tell()
  if (reminders.length > 0) await context.reminders.set(makerId, [id], reminders)
  await announceChange(context, accountId, [calendarId], [id])
  return event
}

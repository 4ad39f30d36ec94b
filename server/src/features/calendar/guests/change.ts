/** What a change to an event does to its guests: who is invited, who is not any more, and who is told. */
import type { AnyTransaction } from '../../../platform/db/types.ts'
import type { Caller } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { CalendarContext } from '../context.ts'
import type { StoredEvent } from '../stores/events.ts'
import { concernsGuests, prepareGuestNotices, readGuests } from './invite.ts'

interface Change {
  readonly caller: Pick<Caller, 'accountId'>
  readonly before: StoredEvent
  readonly changed: StoredEvent
  /** What was split off a series, which the change is about then. */
  readonly split: StoredEvent | null
  /** The occurrence from which on it was split off, in integer milliseconds: answers to earlier ones stay where they are. */
  readonly from: number
  /** The one occurrence that is changed; null: all of it. */
  readonly of: number | null
  /** Who is to be invited; undefined: as before. */
  readonly named: readonly string[] | undefined
}

/** `write` belongs into the transaction of the change, `tell` behind it. Refuses with `guest_unknown`. */
export const changeGuests = async (context: CalendarContext, change: Change) => {
  const { caller, before, changed, split, from, of, named } = change
  const { clock, guests } = context
  // Who comes to a series is asked to all of it, and answers for each time.
  if (named !== undefined && of !== null) throw fail('occurrence_guests')
  const invited = await guests.ofEvent(before.id)
  const ids = invited.map(({ accountId }) => accountId)
  const next = named === undefined ? ids : await readGuests(context, named, before.accountId, invited)
  const added = next.filter((id) => !ids.includes(id))
  const removed = ids.filter((id) => !next.includes(id))
  const stay = ids.filter((id) => next.includes(id))
  const event = split ?? changed
  const isCancelled = event.content.status === 'cancelled' && before.content.status !== 'cancelled'
  const isTold = split !== null || concernsGuests(before.content, changed.content)
  const notices = await prepareGuestNotices(context, caller.accountId, [
    { event, guests: added, change: 'invited' },
    { event, guests: removed, change: 'cancelled', occurrence: of },
    ...(isTold
      ? [{ event, guests: stay, change: isCancelled ? ('cancelled' as const) : ('changed' as const), occurrence: of }]
      : []),
  ])
  const at = clock.now()
  return {
    async write(trx: AnyTransaction): Promise<void> {
      if (split) {
        const kept = invited.filter(({ accountId }) => stay.includes(accountId))
        await guests.copy(trx, split.id, kept, { from, at })
        await guests.change(trx, split.id, { added, removed: [], at })
      } else await guests.change(trx, changed.id, { added, removed, at })
      await notices.publish(trx)
    },
    /** Who is a guest of which part then. */
    invited: new Map([[before.id, split ? ids : next], ...(split ? [[split.id, next] as const] : [])]),
    tell: notices.tell,
  }
}

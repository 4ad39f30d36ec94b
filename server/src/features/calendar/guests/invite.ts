/** Who becomes and who stays a guest of an event, and who is told of what was done to it. */
import { toIsoTime } from '../../../platform/iso-time.ts'
import type { AnyTransaction } from '../../../platform/db/types.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { CalendarContext } from '../context.ts'
import type { EventContent } from '../content.ts'
import { findOccurrence, placeTiming } from '../series/occurrences.ts'
import type { StoredEvent } from '../stores/events.ts'
import type { StoredGuest } from '../stores/guests.ts'

/** Of whom a body names, those who can be invited. Refuses with `guest_unknown` who is not there. */
export const readGuests = async (
  { isActive }: Pick<CalendarContext, 'isActive'>,
  named: readonly string[],
  ownerId: string,
  known: readonly StoredGuest[],
): Promise<string[]> => {
  const ids = [...new Set(named)].filter((id) => id !== ownerId)
  const before = new Set(known.map(({ accountId }) => accountId))
  for (const id of ids) if (!before.has(id) && !(await isActive(id))) throw fail('guest_unknown')
  return ids
}

export type GuestChange = 'invited' | 'changed' | 'cancelled'

/** What is told of an event, and to whom. */
export interface GuestNotice {
  readonly event: StoredEvent
  readonly guests: readonly string[]
  readonly change: GuestChange
  /** Of a series the one occurrence that it is about. */
  readonly occurrence?: number | null
}

/** By which all that is told of an invitation is found again. It outlives the event. */
export const invitationOf = (eventId: string): string => `calendar-invitation:${eventId}`

/**
 * Prepares to tell guests. `byId`: who did it, and is told nothing. Publish within the transaction, tell after it; then
 * open pages follow, too.
 */
export const prepareGuestNotices = async (
  { namesOf, notifications }: Pick<CalendarContext, 'namesOf' | 'notifications'>,
  byId: string,
  notices: readonly GuestNotice[],
) => {
  const told = new Set(notices.flatMap(({ guests }) => guests))
  told.delete(byId)
  const publisher = await notifications.publisher([...told])
  const by = told.size === 0 ? '' : ((await namesOf([byId])).get(byId) ?? '')
  const zones = new Map(
    await Promise.all([...told].map(async (id) => [id, (await notifications.preferencesOf(id)).timeZone] as const)),
  )
  return {
    async publish(trx: AnyTransaction): Promise<void> {
      for (const { event, guests, change, occurrence = null } of notices)
        for (const accountId of guests) {
          if (!told.has(accountId)) continue
          await publisher.publish(trx, {
            accountId,
            kind: 'event-invitation',
            facts: { by, change, ...factsOf(event, occurrence, zones.get(accountId) ?? 'UTC') },
            sourceKey: invitationOf(event.id),
            about: invitationOf(event.id),
            again: true,
          })
        }
    },
    tell: publisher.tell,
  }
}

/** What is said of an event, or of one occurrence, on the clocks of who is told. */
export const factsOf = ({ id, content }: StoredEvent, occurrence: number | null, zone: string) => {
  const found = occurrence === null ? null : findOccurrence(content, occurrence, zone)
  const of = found === null ? null : toIsoTime(found.of)
  return {
    name: found?.change?.title ?? content.title,
    eventId: id,
    occurrence: of,
    startsAt: toIsoTime(found?.startAt ?? placeTiming(content, zone).startAt),
    allDay: content.allDay,
  }
}

/** Whether guests want to know what became of an event. */
export const concernsGuests = (before: EventContent, after: EventContent): boolean =>
  told.some((part) => JSON.stringify(before[part]) !== JSON.stringify(after[part]))
const told = ['title', 'place', 'start', 'end', 'allDay', 'timeZone', 'recurrence', 'changes', 'status'] as const

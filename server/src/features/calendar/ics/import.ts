/** Takes the events of a file in: an entry that the account has by its UID is changed, all others are new. */
import { type ImportReport, mostEvents, mostImportEvents } from '@atrium/contract/calendar'
import { type CalendarEntry, readCalendarFile } from '../../../platform/formats/index.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { type CalendarContext, announceChange } from '../context.ts'
import type { EventContent } from '../content.ts'
import { withoutAccounts } from '../guests/attendees.ts'
import type { StoredEvent } from '../stores/events.ts'
import type { StoredGuest } from '../stores/guests.ts'
import { type SkipReason, type TakenEvent, takeEntries } from './take.ts'

/** Where the events go. */
export interface ImportTarget {
  /** Whose they are. */
  readonly accountId: string
  readonly calendarId: string | null
  /** Who takes them in: the reminders are theirs. */
  readonly callerId: string
}

const atOnce = 200
const mostTold = 200

/** Refuses with `calendar_damaged`, `calendar_too_large` or `event_limit`; nothing was taken in then. */
export const importCalendar = async (
  context: CalendarContext,
  bytes: Uint8Array,
  target: ImportTarget,
  signal: AbortSignal,
): Promise<ImportReport> => {
  const file = await readCalendarFile(bytes, mostImportEvents, { signal })
  if ('failure' in file) throw fail(file.failure === 'too_complex' ? 'calendar_too_large' : 'calendar_damaged')
  const skipped: { title: string; reason: SkipReason }[] = [...file.skipped]
  const taken: TakenEvent[] = []
  let looked = 0
  for (const [uid, entries] of groupByUid(context, file.entries)) {
    const group = takeEntries(uid, entries)
    taken.push(...group.events)
    skipped.push(...group.skipped)
    looked += 1
    // Others get their turn meanwhile.
    if (looked % atOnce === 0) await new Promise(setImmediate)
  }
  const { added, replaced, reminders } = await matchOwn(context, taken, target)
  if ((await context.events.count(target.accountId)) + added.length > mostEvents) throw fail('event_limit')
  for (let begin = 0; begin < Math.max(added.length, replaced.length); begin += atOnce) {
    const end = begin + atOnce
    // In short writes, so that nobody waits for them; what is there already is changed when the file comes again.
    if (!(await context.events.put(target.accountId, added.slice(begin, end), replaced.slice(begin, end), mostEvents)))
      throw fail('event_limit')
  }
  for (const [minutes, ids] of reminders)
    await context.reminders.set(target.callerId, ids, minutes.split(',').map(Number))
  if (taken.length > 0) await announceChange(context, target.accountId, [target.calendarId])
  return {
    imported: added.length,
    updated: replaced.length,
    skipped: skipped.slice(0, mostTold),
    skippedCount: skipped.length,
    unknownZones: [...file.unknownZones],
  }
}

/** Entries without a UID are each alone. */
export const groupByUid = (
  { clock }: Pick<CalendarContext, 'clock'>,
  entries: readonly CalendarEntry[],
): Map<string, CalendarEntry[]> => {
  const groups = new Map<string, CalendarEntry[]>()
  for (const entry of entries) {
    const uid = entry.uid ?? `${clock.id()}@atrium`
    const group = groups.get(uid)
    if (group) group.push(entry)
    else groups.set(uid, [entry])
  }
  return groups
}

/** Guests of an event stay its guests, whatever a file says of them: only they answer. */
const asHere = (content: EventContent, { accountId }: StoredEvent, guests: readonly StoredGuest[]): EventContent =>
  guests.length === 0
    ? content
    : withoutAccounts(content, new Set([accountId, ...guests.map((guest) => guest.accountId)]))

const matchOwn = async (
  { clock, events, guests, subscriptions }: CalendarContext,
  taken: readonly TakenEvent[],
  { accountId, calendarId, callerId }: ImportTarget,
) => {
  const own = await events.withUids(
    accountId,
    taken.map(({ content }) => content.uid),
  )
  const followed = await subscriptions.ofCalendars([
    ...new Set([...own.values()].flatMap(({ calendarId: id }) => id ?? [])),
  ])
  const invited = await guests.ofEvents([...own.values()].map(({ id }) => id))
  const isFollowed = (event: StoredEvent) => followed.has(event.calendarId ?? '')
  const added: StoredEvent[] = []
  const replaced: StoredEvent[] = []
  const reminders = new Map<string, string[]>()
  const now = clock.now()
  for (const { content, reminders: minutes } of taken) {
    const found = own.get(content.uid)
    // Whoever may change one calendar of somebody else changes nothing in the others.
    const there =
      found && !isFollowed(found) && (accountId === callerId || found.calendarId === calendarId) ? found : null
    const event: StoredEvent = there
      ? {
          ...there,
          content: asHere(content, there, invited.get(there.id) ?? []),
          calendarId: calendarId ?? there.calendarId,
          version: there.version + 1,
          updatedAt: now,
        }
      : { id: clock.id(), accountId, calendarId, content, version: 1, createdAt: now, updatedAt: now, deletedAt: null }
    if (there) replaced.push(event)
    else added.push(event)
    const written = minutes.join(',')
    if (written !== '') reminders.set(written, [...(reminders.get(written) ?? []), event.id])
  }
  return { added, replaced, reminders }
}

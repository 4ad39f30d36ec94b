/** Calendars that follow an address, read again and again: what came, changed or went there does so here. */
import { mostEvents } from '@atrium/contract/calendar'
import { hourMs, minuteMs } from '../../../platform/time/index.ts'
import { type CalendarContext, announceChange } from '../context.ts'
import type { TakenEvent } from '../ics/take.ts'
import type { StoredEvent } from '../stores/events.ts'
import type { StoredSubscription } from '../stores/subscriptions.ts'
import { readAddress, type ReadOutcome } from './read.ts'

/** Between two looks that went well. */
const everyMs = hourMs
const shortestWaitMs = 15 * minuteMs
const longestWaitMs = 24 * hourMs
/** Whoever reads one has it for so long, should the process die. */
const claimMs = 10 * minuteMs
const atOnce = 200
const mostInOneRun = 50

/** Reads those that are due. */
export const refreshDue = async (context: CalendarContext, signal: AbortSignal): Promise<void> => {
  for (const subscription of await context.subscriptions.due(context.clock.now(), mostInOneRun)) {
    signal.throwIfAborted()
    await refresh(context, subscription, signal)
  }
}

/** Reads one now, unless somebody else does. */
export const refresh = async (
  context: CalendarContext,
  subscription: StoredSubscription,
  signal: AbortSignal,
): Promise<void> => {
  const { clock, subscriptions } = context
  const { calendarId, accountId } = subscription
  if (!(await context.isActive(accountId))) {
    await subscriptions.claim(subscription, clock.now() + longestWaitMs)
    return
  }
  if (!(await subscriptions.claim(subscription, clock.now() + claimMs))) return
  const outcome = await readAddress(context, subscription.url, subscription.contentDigest, signal)
  await writeOutcome(context, subscription, outcome)
  await announceChange(context, accountId, [calendarId])
}

/** Takes in what was read, or notes why nothing was. */
export const writeOutcome = async (
  context: CalendarContext,
  { calendarId, accountId, contentDigest, refreshedAt, failures }: StoredSubscription,
  outcome: ReadOutcome,
): Promise<void> => {
  const now = context.clock.now()
  const written =
    'failure' in outcome || (outcome.events && !(await takeEvents(context, accountId, calendarId, outcome.events)))
  const failure = 'failure' in outcome ? outcome.failure : 'too_many_events'
  await context.subscriptions.write(
    calendarId,
    written
      ? {
          contentDigest,
          refreshedAt,
          failures: failures + 1,
          failure,
          nextAt: now + Math.min(longestWaitMs, shortestWaitMs * 2 ** Math.min(failures, 10)),
        }
      : {
          contentDigest: 'digest' in outcome ? outcome.digest : contentDigest,
          refreshedAt: now,
          failures: 0,
          failure: null,
          nextAt: now + everyMs,
        },
  )
}

/**
 * Makes the events of a calendar those that were read: in short writes, so that a look that was cut off is made good by
 * the next one. false: the account would have too many.
 */
const takeEvents = async (
  { clock, events }: CalendarContext,
  accountId: string,
  calendarId: string,
  taken: readonly TakenEvent[],
): Promise<boolean> => {
  const now = clock.now()
  const known = new Map<string, StoredEvent>()
  const gone: string[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await events.page({ calendarId }, atOnce, cursor)
    for (const event of page.items) {
      if (known.has(event.content.uid)) gone.push(event.id)
      else known.set(event.content.uid, event)
    }
    cursor = page.nextCursor
  }
  const added: StoredEvent[] = []
  const replaced: StoredEvent[] = []
  for (const { content } of taken) {
    const before = known.get(content.uid)
    known.delete(content.uid)
    if (!before) {
      const times = { createdAt: now, updatedAt: now, deletedAt: null }
      added.push({ id: clock.id(), accountId, calendarId, content, version: 1, ...times })
    } else if (JSON.stringify(before.content) !== JSON.stringify(content))
      replaced.push({ ...before, content, version: before.version + 1, updatedAt: now })
  }
  gone.push(...[...known.values()].map(({ id }) => id))
  if ((await events.count(accountId)) + added.length - gone.length > mostEvents) return false
  for (let begin = 0; begin < gone.length; begin += atOnce) await events.remove(gone.slice(begin, begin + atOnce))
  for (let begin = 0; begin < Math.max(added.length, replaced.length); begin += atOnce) {
    const end = begin + atOnce
    if (!(await events.put(accountId, added.slice(begin, end), replaced.slice(begin, end), mostEvents))) return false
  }
  return true
}

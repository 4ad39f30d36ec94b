/**
 * Starts automations when events happen. An event is stored in the transaction that makes it happen, and handed to the
 * waiting automations in batches, each with the runs that it starts: a crash in between loses nothing and starts nothing
 * twice (0045). Where one of a batch fails, the event goes to each of them alone: nobody's fault is another's.
 */
import type { Transaction } from 'kysely'
import { toIsoTime } from '../../../platform/iso-time.ts'
import { minuteMs } from '../../../platform/time/index.ts'
import { type AutomationContext, type StoredAutomation, announceChanges } from '../context.ts'
import type { AutomationTables, EventRow, WatchRow } from '../tables.ts'
import { addEventRun } from '../stores/event-runs.ts'
import { type Firing, prepareFiring } from './prepare-run.ts'
import { type AreaEvent, isAwaited, isEventTrigger } from './rules.ts'
import { type EventNews, readEvent } from './sources.ts'

type TakeContext = Omit<AutomationContext, 'wake'>

const batch = 100
/** So often an event is tried for an automation that it fails for. */
const mostTries = 5
/** Waits double with each try, up to so many times. */
const mostDoublings = 6
const retryMs = minuteMs
/** Calendars are looked at when they change, and at least this often. */
const calendarLookMs = 15 * minuteMs
/** Calendar events that began longer ago, while no process ran, start nothing. */
const latestStartMs = 15 * minuteMs

/** Hands a batch of events on; gives whether there may be more. */
export const takeEvents = async (context: TakeContext): Promise<boolean> => {
  const events = await context.events.due(context.clock.now(), batch)
  for (const event of events)
    try {
      await takeEvent(context, event)
    } catch (error) {
      // Of nobody in particular: the database is away, say. It waits until that has passed.
      context.log.warn('An event could not be handed to automations.', { error, tries: event.tries + 1 })
      await context.events.defer(event, context.clock.now() + waitMs(event))
    }
  return events.length === batch
}

const takeEvent = async (context: TakeContext, first: EventRow): Promise<void> => {
  for (let event = first; ; ) {
    const ids = await context.events.watching(event, batch)
    const last = ids.at(-1)
    const to = ids.length < batch ? null : (last ?? null)
    const current = event
    const advance = (trx: Transaction<AutomationTables>) => context.events.advance(trx, current, to)
    let started: boolean
    try {
      const firings: Firing[] = []
      for (const automation of await context.automations.readMany(ids))
        firings.push(...(await prepareEvent(context, automation, event)))
      started = await start(context, firings, advance)
    } catch (error) {
      context.log.warn('An event failed for one of its automations, and is handed to each alone.', { error })
      started = await start(context, [], async (trx) => {
        if (!(await advance(trx))) return false
        await context.events.separate(trx, current, ids, context.clock.now())
        return true
      })
    }
    if (!started || to === null) return
    event = { ...event, after: to }
  }
}

/** Hands events to single automations that they failed for among others; gives whether there may be more. */
export const takeSeparateEvents = async (context: TakeContext): Promise<boolean> => {
  const rows = await context.events.dueTries(context.clock.now(), batch)
  for (const row of rows)
    try {
      const [automation] = await context.automations.readMany([row.automation_id])
      const firings = automation ? await prepareEvent(context, automation, row) : []
      await start(context, firings, (trx) => context.events.removeTry(trx, row))
    } catch (error) {
      const tries = row.tries + 1
      context.log.warn('An event could not be handed to an automation.', {
        error,
        automation: row.automation_id,
        tries,
      })
      if (tries < mostTries) await context.events.deferTry(row, context.clock.now() + waitMs(row))
      else await start(context, [], (trx) => context.events.removeTry(trx, row))
    }
  return rows.length === batch
}

const waitMs = ({ tries }: Pick<EventRow, 'tries'>): number => retryMs * 2 ** Math.min(tries, mostDoublings)

/** Starts runs in the transaction that moves on what they came of. false: another process did so. */
const start = async (
  context: TakeContext,
  firings: readonly Firing[],
  moveOn: (trx: Transaction<AutomationTables>) => Promise<boolean>,
): Promise<boolean> => {
  const accounts = await context.database.write<AutomationTables, string[] | null>(async (trx) => {
    if (!(await moveOn(trx))) return null
    const started: string[] = []
    for (const firing of firings) if (await addEventRun(trx, firing)) started.push(firing.automation.accountId)
    return started
  })
  await announceChanges(context, accounts ?? [])
  return accounts !== null
}

const prepareEvent = async (
  context: TakeContext,
  automation: StoredAutomation,
  {
    kind,
    place_id: placeId,
    source_id: sourceId,
    happened_at: at,
  }: Pick<EventRow, 'kind' | 'place_id' | 'source_id' | 'happened_at'>,
): Promise<Firing[]> => {
  const event: AreaEvent = { kind, placeId, sourceId }
  const news = await readEvent(context, automation.accountId, event)
  if (news === null || !isAwaited(automation.content.triggers, event, news.text)) return []
  const firing = await prepareFiring(context, automation, { name: `${kind}:${placeId}:${sourceId}`, news, at })
  return firing ? [firing] : []
}

/** Looks which calendar events began; gives whether there may be more to look at. */
export const takeCalendarStarts = async (context: TakeContext): Promise<boolean> => {
  const watches = await context.events.dueCalendars(context.clock.now(), batch)
  for (const watch of watches)
    try {
      await takeStarts(context, watch)
    } catch (error) {
      context.log.warn('Calendars could not be looked at for an automation.', { error })
      const now = context.clock.now()
      await context.database.write<AutomationTables, boolean>((trx) =>
        context.events.moveCalendar(trx, watch, { nextAt: now + retryMs, until: watch.looked_until ?? now }),
      )
    }
  return watches.length === batch
}

const takeStarts = async (context: TakeContext, watch: WatchRow): Promise<void> => {
  const now = context.clock.now()
  const from = Math.max(watch.looked_until ?? now, now - latestStartMs)
  const [automation] = await context.automations.readMany([watch.automation_id])
  const triggers = automation?.content.triggers.filter(isEventTrigger) ?? []
  const calendars = new Set(triggers.flatMap(({ event, placeId }) => (event === 'calendar-event' ? [placeId] : [])))
  const firings: Firing[] = []
  let nextAt = now + calendarLookMs
  for (const calendarId of automation ? calendars : []) {
    const starts = await context.calendar.startsIn(watch.account_id, calendarId, { from, to: now + calendarLookMs })
    for (const { eventId, occurrence, title, place, startAt, endAt, chatId } of starts ?? []) {
      if (startAt > now) {
        nextAt = Math.min(nextAt, startAt)
        continue
      }
      const payload = {
        event: 'calendar-event',
        eventId,
        title,
        place,
        startAt: toIsoTime(startAt),
        endAt: toIsoTime(endAt),
        href: `/calendar?event=${eventId}`,
      }
      const news: EventNews = { text: title, payload, origin: chatId === null ? null : { sessionId: chatId } }
      const event = { kind: 'calendar-event', placeId: calendarId } as const
      if (!automation || !isAwaited(triggers, event, title)) continue
      const name = `calendar-event:${eventId}:${occurrence}`
      const firing = await prepareFiring(context, automation, { name, news, at: startAt })
      if (firing) firings.push(firing)
    }
  }
  await start(context, firings, (trx) => context.events.moveCalendar(trx, watch, { nextAt, until: now + 1 }))
}

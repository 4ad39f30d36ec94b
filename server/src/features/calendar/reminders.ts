/**
 * Reminds people of events: once for each occurrence and person. Every process looks; who moves on to the next reminder
 * tells of this one, in the same transaction.
 */
import type { AnyTransaction } from '../../platform/db/types.ts'
import type { NotificationContent } from '@atrium/contract/notifications'
import { minuteMs } from '../../platform/time/index.ts'
import { toIsoTime } from '../../platform/iso-time.ts'
import type { CalendarContext } from './context.ts'
import { type DueReminder, nextReminders } from './series/reminders.ts'
import type { ReminderRow } from './stores/reminders.ts'

/** Nobody is told more than 5 s late. */
const lookMs = 3000
/** After a stop, what is older than this is told as missed. */
const graceMs = 10 * minuteMs
/** What was set just now counts from so long before. */
const settleMs = 15_000

interface Told {
  readonly row: ReminderRow
  readonly next: number | null
  readonly due: readonly DueReminder[]
  readonly missed: boolean
}

export const createReminders = (context: CalendarContext) => {
  const { clock, database, notifications, reminders } = context
  let timer: NodeJS.Timeout | null = null
  let looking: Promise<void> | null = null
  let isOver = false

  const reckon = async (row: ReminderRow): Promise<Told> => {
    const { accountId, event, minutes, nextAt } = row
    const none = { row, next: null, due: [], missed: false }
    if (event === null || !(await mayRead(context, accountId, event))) return none
    const { timeZone } = await notifications.preferencesOf(accountId)
    const next = (after: number) => nextReminders(event.content, minutes, after, timeZone)
    const now = clock.now()
    // Set or changed just now: nothing was due before.
    if (nextAt <= 0) return { ...none, next: next(now - settleMs)[0]?.at ?? null }
    const due = next(nextAt - 1)
    if (due[0]?.at !== nextAt) return { ...none, next: due[0]?.at ?? null }
    if (nextAt >= now - graceMs) return { row, next: next(nextAt)[0]?.at ?? null, due, missed: false }
    // Of many that were missed the last one is told.
    let last = due
    for (let steps = 0; steps < 200; steps += 1) {
      const later = next(last[0]?.at ?? now)
      if (later[0] === undefined || later[0].at >= now - graceMs) break
      last = later
    }
    return { row, next: next(Math.max(last[0]?.at ?? 0, now - graceMs - 1))[0]?.at ?? null, due: last, missed: true }
  }

  const tell = async (told: readonly Told[]): Promise<void> => {
    const publisher = await notifications.publisher(told.map(({ row }) => row.accountId))
    await database.write(async (trx: AnyTransaction) => {
      for (const { row, next, due, missed } of told) {
        if (!(await reminders.move(trx, row, next))) continue
        for (const { minutes, occurrence } of due)
          await publisher.publish(trx, {
            accountId: row.accountId,
            sourceKey: `calendar-event:${row.eventId}:${occurrence.of}:${minutes}`,
            about: `calendar-event:${row.eventId}`,
            ...contentOf(row, occurrence, missed),
          })
      }
    })
    await publisher.tell()
  }

  /** Tells of all that is due. */
  const look = async (): Promise<void> => {
    for (;;) {
      const rows = await reminders.due(clock.now(), 100)
      if (rows.length === 0 || isOver) return
      const told: Told[] = []
      for (const row of rows) told.push(await reckon(row))
      await tell(told)
    }
  }

  const schedule = (): void => {
    if (isOver) return
    timer = setTimeout(() => {
      looking = look()
        // The next look finds what this one did not come to; a database that is away is told elsewhere.
        .catch(() => undefined)
        .finally(schedule)
    }, lookMs)
    timer.unref()
  }

  return {
    look,
    async start(): Promise<void> {
      schedule()
    },
    async stop(): Promise<void> {
      isOver = true
      if (timer) clearTimeout(timer)
      await looking
    },
  }
}

const contentOf = (
  { event, eventId }: ReminderRow,
  occurrence: DueReminder['occurrence'],
  missed: boolean,
): Extract<NotificationContent, { kind: 'reminder' }> => ({
  kind: 'reminder',
  facts: {
    name: occurrence.change?.title ?? event?.content.title ?? '',
    eventId,
    occurrence: event?.content.recurrence ? toIsoTime(occurrence.of) : null,
    startsAt: toIsoTime(occurrence.startAt),
    allDay: event?.content.allDay ?? false,
    missed,
  },
})

/** Whether somebody reads an event now: its owner, who reads its calendar, and its guests. */
const mayRead = async (
  { access, guests }: CalendarContext,
  accountId: string,
  event: { readonly id: string; readonly accountId: string; readonly calendarId: string | null },
): Promise<boolean> => {
  if (event.accountId === accountId) return true
  const reachable = await access.listReachable(accountId, 'calendar')
  return (
    reachable.some(({ resourceId }) => resourceId === event.calendarId) || (await guests.isGuest(event.id, accountId))
  )
}

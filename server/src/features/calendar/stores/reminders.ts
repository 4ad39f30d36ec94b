/** Who is reminded of which event, and when next. */
import { type AnyTransaction, inTables } from '../../../platform/db/types.ts'
import type { CalendarDeps } from '../dependencies.ts'
import type { CalendarTables } from '../tables.ts'
import type { EventStore, StoredEvent } from './events.ts'
import { reckonAgain } from './reckon.ts'

export interface ReminderRow {
  readonly eventId: string
  readonly accountId: string
  /** Before each occurrence. */
  readonly minutes: readonly number[]
  /** 0 or less: it is to be reckoned. */
  readonly nextAt: number
  /** null: it is in the trash, or cannot be read. */
  readonly event: StoredEvent | null
}

export type ReminderStore = ReturnType<typeof createReminderStore>

const atOnce = 200

export const createReminderStore = (
  { clock, database }: Pick<CalendarDeps, 'clock' | 'database'>,
  events: Pick<EventStore, 'readMany'>,
) => {
  const tables = database.tables<CalendarTables>()
  return {
    /** What an account is reminded of, by event. */
    async of(accountId: string, eventIds: readonly string[]): Promise<Map<string, number[]>> {
      const found = new Map<string, number[]>()
      for (let begin = 0; begin < eventIds.length; begin += 5 * atOnce) {
        const rows = await tables
          .selectFrom('calendar_reminders')
          .selectAll()
          .where('account_id', '=', accountId)
          .where('event_id', 'in', eventIds.slice(begin, begin + 5 * atOnce))
          .execute()
        for (const { event_id, minutes } of rows) found.set(event_id, minutes.split(',').map(Number))
      }
      return found
    },

    /** Who is reminded of an event, and how many minutes before. */
    async on(eventId: string): Promise<Map<string, number[]>> {
      const rows = await tables.selectFrom('calendar_reminders').selectAll().where('event_id', '=', eventId).execute()
      return new Map(rows.map(({ account_id, minutes }) => [account_id, minutes.split(',').map(Number)]))
    },

    /** Puts these in the place of what the account was reminded of. */
    async set(accountId: string, eventIds: readonly string[], minutes: readonly number[]): Promise<void> {
      const now = clock.now()
      const written = [...new Set(minutes)].toSorted((a, b) => a - b).join(',')
      for (let begin = 0; begin < eventIds.length; begin += atOnce) {
        const ids = eventIds.slice(begin, begin + atOnce)
        await database.write<CalendarTables, void>(async (trx) => {
          if (written === '') {
            const own = trx.deleteFrom('calendar_reminders').where('account_id', '=', accountId)
            await own.where('event_id', 'in', ids).execute()
            return
          }
          // Not deleted and inserted: of several at once, one would find that the other had inserted meanwhile.
          await trx
            .insertInto('calendar_reminders')
            .values(ids.map((event_id) => ({ event_id, account_id: accountId, minutes: written, next_at: -now })))
            .onConflict((on) =>
              on.columns(['event_id', 'account_id']).doUpdateSet({ minutes: written, next_at: reckonAgain(now) }),
            )
            .execute()
        })
      }
    },

    /** Those that are due, or to be reckoned; the oldest first. */
    async due(now: number, limit: number): Promise<ReminderRow[]> {
      const rows = await tables
        .selectFrom('calendar_reminders')
        .selectAll()
        .where('next_at', '<=', now)
        .orderBy('next_at')
        .limit(limit)
        .execute()
      const found = await events.readMany([...new Set(rows.map(({ event_id }) => event_id))])
      const byId = new Map(found.map((event) => [event.id, event]))
      return rows.map(({ event_id, account_id, minutes, next_at }) => ({
        eventId: event_id,
        accountId: account_id,
        minutes: minutes.split(',').map(Number),
        nextAt: next_at ?? 0,
        event: byId.get(event_id) ?? null,
      }))
    },

    /** Moves on to the next one; false: another process did, or it was changed meanwhile. */
    async move(
      trx: AnyTransaction,
      { eventId, accountId, nextAt }: ReminderRow,
      next: number | null,
    ): Promise<boolean> {
      const { numUpdatedRows } = await inTables<CalendarTables>(trx)
        .updateTable('calendar_reminders')
        .set({ next_at: next })
        .where('event_id', '=', eventId)
        .where('account_id', '=', accountId)
        .where('next_at', '=', nextAt)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },
  }
}

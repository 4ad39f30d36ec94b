/** Who is reminded of which event, and when next. */
import { type AnyTransaction, inTables } from '../../../platform/db/types.ts'
import type { CalendarDeps } from '../dependencies.ts'
import type { CalendarTables } from '../tables.ts'
import type { EventStore, StoredEvent } from './events.ts'

export interface ReminderRow {
  readonly eventId: string
  readonly accountId: string
  /** Before each occurrence. */
  readonly minutes: readonly number[]
  /** 0: it is to be reckoned. */
  readonly nextAt: number
  /** null: it is in the trash, or cannot be read. */
  readonly event: StoredEvent | null
}

export type ReminderStore = ReturnType<typeof createReminderStore>

export const createReminderStore = ({ database }: CalendarDeps, events: EventStore) => {
  const tables = database.tables<CalendarTables>()
  return {
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

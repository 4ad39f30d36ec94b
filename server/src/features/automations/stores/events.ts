/** Every SQL statement about triggers that wait for events, and events not yet handed on. Times are integer milliseconds. */
import type { Transaction } from 'kysely'
import { type AnyTransaction, type Database, inTables } from '../../../platform/db/types.ts'
import type { AreaEvent, WatchedPlace } from '../events/rules.ts'
import type { AutomationTables, EventRow, EventTryRow, WatchRow } from '../tables.ts'

export type EventStore = ReturnType<typeof createEventStore>

/** Replaces the triggers of an automation. */
export const putWatches = async (
  trx: Transaction<AutomationTables>,
  { id, accountId }: { readonly id: string; readonly accountId: string },
  places: readonly WatchedPlace[],
  now: number,
): Promise<void> => {
  await trx.deleteFrom('automation_watches').where('automation_id', '=', id).execute()
  if (places.length === 0) return
  const rows = places.map(({ kind, placeId }): WatchRow => {
    const isTimed = kind === 'calendar-event'
    return {
      automation_id: id,
      account_id: accountId,
      kind,
      place_id: placeId,
      next_at: isTimed ? now : null,
      looked_until: isTimed ? now : null,
    }
  })
  await trx.insertInto('automation_watches').values(rows).execute()
}

const nameOf = ({ automation_id, kind, place_id, source_id }: Omit<EventTryRow, 'due_at' | 'tries'>) => ({
  automation_id,
  kind,
  place_id,
  source_id,
})

export const createEventStore = (database: Database) => {
  const tables = database.tables<AutomationTables>()
  return {
    /** Keeps an event for those who wait for it; false: nobody does. */
    async note(transaction: AnyTransaction, { kind, placeId, sourceId }: AreaEvent, id: string, now: number) {
      const trx = inTables<AutomationTables>(transaction)
      const watch = await trx
        .selectFrom('automation_watches')
        .select('automation_id')
        .where('kind', '=', kind)
        .where('place_id', '=', placeId)
        .limit(1)
        .executeTakeFirst()
      if (!watch) return false
      await trx
        .insertInto('automation_events')
        .values({
          id,
          kind,
          place_id: placeId,
          source_id: sourceId,
          after: '',
          happened_at: now,
          due_at: now,
          tries: 0,
        })
        .onConflict((conflict) => conflict.columns(['kind', 'place_id', 'source_id']).doNothing())
        .execute()
      return true
    },

    due: (now: number, limit: number): Promise<EventRow[]> =>
      tables
        .selectFrom('automation_events')
        .selectAll()
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .limit(limit)
        .execute(),

    /** Automations that wait for an event, by id, from one on. */
    async watching({ kind, place_id, after }: EventRow, limit: number): Promise<string[]> {
      const rows = await tables
        .selectFrom('automation_watches')
        .select('automation_id')
        .where('kind', '=', kind)
        .where('place_id', '=', place_id)
        .where('automation_id', '>', after)
        .orderBy('automation_id')
        .limit(limit)
        .execute()
      return rows.map(({ automation_id }) => automation_id)
    },

    /** An event is done with for all automations up to this one; null: for all. false: another process was quicker. */
    async advance(trx: Transaction<AutomationTables>, { id, after }: EventRow, to: string | null): Promise<boolean> {
      const changed =
        to === null
          ? await trx
              .deleteFrom('automation_events')
              .where('id', '=', id)
              .where('after', '=', after)
              .returning('id')
              .execute()
          : await trx
              .updateTable('automation_events')
              .set({ after: to })
              .where('id', '=', id)
              .where('after', '=', after)
              .returning('id')
              .execute()
      return changed.length > 0
    },

    /** It is tried again later. */
    async defer({ id, tries }: EventRow, dueAt: number): Promise<void> {
      await tables
        .updateTable('automation_events')
        .set({ due_at: dueAt, tries: tries + 1 })
        .where('id', '=', id)
        .execute()
    },

    /** An event is handed to each of these alone, from now on. */
    async separate(
      trx: Transaction<AutomationTables>,
      { kind, place_id, source_id, happened_at }: EventRow,
      automationIds: readonly string[],
      now: number,
    ): Promise<void> {
      const event = { kind, place_id, source_id, happened_at }
      const rows = automationIds.map((automation_id) => ({ ...event, automation_id, due_at: now, tries: 0 }))
      if (rows.length === 0) return
      await trx
        .insertInto('automation_event_tries')
        .values(rows)
        .onConflict((on) => on.doNothing())
        .execute()
    },

    dueTries: (now: number, limit: number): Promise<EventTryRow[]> =>
      tables
        .selectFrom('automation_event_tries')
        .selectAll()
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .limit(limit)
        .execute(),

    /** false: another process was quicker. */
    async removeTry(trx: Transaction<AutomationTables>, { due_at, ...row }: EventTryRow): Promise<boolean> {
      const { numDeletedRows } = await trx
        .deleteFrom('automation_event_tries')
        .where((by) => by.and({ ...nameOf(row), due_at }))
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },

    async deferTry({ due_at, tries, ...row }: EventTryRow, dueAt: number): Promise<void> {
      await tables
        .updateTable('automation_event_tries')
        .set({ due_at: dueAt, tries: tries + 1 })
        .where((by) => by.and({ ...nameOf(row), due_at }))
        .execute()
    },

    /** Automations whose calendars are to be looked at. */
    dueCalendars: (now: number, limit: number): Promise<WatchRow[]> =>
      tables
        .selectFrom('automation_watches')
        .selectAll()
        .where('next_at', '<=', now)
        .orderBy('next_at')
        .limit(limit)
        .execute(),

    /** false: another process was quicker, or the calendars changed since. */
    async moveCalendar(
      trx: Transaction<AutomationTables>,
      { automation_id, kind, place_id, next_at, looked_until }: WatchRow,
      { nextAt, until }: { readonly nextAt: number | null; readonly until: number },
    ): Promise<boolean> {
      const moved = await trx
        .updateTable('automation_watches')
        .set({ next_at: nextAt, looked_until: until })
        .where('automation_id', '=', automation_id)
        .where('kind', '=', kind)
        .where('place_id', '=', place_id)
        .where('looked_until', '=', looked_until)
        .where('next_at', '=', next_at)
        .returning('automation_id')
        .execute()
      return moved.length > 0
    },

    /**
     * The calendars of an account changed: they are looked at now, again where somebody looks just now. Gives whether
     * anything waits for them.
     */
    async lookSoon(accountId: string, now: number): Promise<boolean> {
      const rows = await tables
        .updateTable('automation_watches')
        // Never what it was: whoever read the row before looks once more.
        .set((eb) => ({
          next_at: eb
            .case()
            .when('next_at', '>', now)
            .then(now)
            .else(eb('next_at', '-', 1))
            .end(),
        }))
        .where('account_id', '=', accountId)
        .where('next_at', 'is not', null)
        .returning('automation_id')
        .execute()
      return rows.length > 0
    },

    /** When something is to be looked at next. */
    async nextDue(): Promise<number | null> {
      const [watch, event, one] = await Promise.all([
        tables
          .selectFrom('automation_watches')
          .select((by) => by.fn.min('next_at').as('next'))
          .executeTakeFirst(),
        tables
          .selectFrom('automation_events')
          .select((by) => by.fn.min('due_at').as('next'))
          .executeTakeFirst(),
        tables
          .selectFrom('automation_event_tries')
          .select((by) => by.fn.min('due_at').as('next'))
          .executeTakeFirst(),
      ])
      const times = [watch?.next, event?.next, one?.next].flatMap((next) => (next == null ? [] : Number(next)))
      return times.length === 0 ? null : Math.min(...times)
    },
  }
}

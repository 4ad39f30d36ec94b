/** SQL of calendars that get another owner, with what is in them. */
import { mostCalendars, mostEvents } from '@atrium/contract/calendar'
import { sql } from 'kysely'
import type { TransferSides } from '../../../core/resources/index.ts'
import { type AnyTransaction, inTables } from '../../../platform/db/types.ts'
import { fail } from '../../../platform/http/refusal.ts'
import { resealRows } from '../../../platform/vault/reseal.ts'
import type { CalendarDeps } from '../dependencies.ts'
import { calendarSealed, type CalendarTables } from '../tables.ts'
import { createEventRows } from './event-rows.ts'
import { partitionOf } from './events.ts'

/** So many events are looked at in one transaction. */
const atOnce = 200

export type TransferStore = ReturnType<typeof createTransferStore>

export const createTransferStore = ({
  database,
  indexes: { texts },
  vault,
}: Pick<CalendarDeps, 'database' | 'indexes' | 'vault'>) => {
  const { digestOf, openAll } = createEventRows({ vault })
  const reseal = async (trx: AnyTransaction, id: string, sides: TransferSides): Promise<void> => {
    for (const [table, key] of [
      ['calendars', 'id'],
      ['calendar_events', 'calendar_id'],
    ] as const) {
      const columns = calendarSealed.filter((column) => column.table === table)
      await resealRows(trx, columns, sql<boolean>`${sql.ref(key)} = ${id}`, sides)
    }
  }
  /** UIDs are keyed with the account. */
  const renewDigests = async (id: string, ownerId: string): Promise<void> => {
    for (let after = ''; ; ) {
      const rows = await database
        .tables<CalendarTables>()
        .selectFrom('calendar_events')
        .selectAll()
        .where('calendar_id', '=', id)
        .where('account_id', '=', ownerId)
        .where('id', '>', after)
        .orderBy('id')
        .limit(atOnce)
        .execute()
      const events = await openAll(rows)
      await database.write<CalendarTables, void>(async (trx) => {
        for (const event of events)
          await trx
            .updateTable('calendar_events')
            .set({ uid_digest: digestOf(ownerId, event.content.uid) })
            .where('id', '=', event.id)
            .where('account_id', '=', ownerId)
            .execute()
      })
      const last = rows.at(-1)
      if (!last || rows.length < atOnce) return
      after = last.id
    }
  }
  return {
    /**
     * With its events, guests and their answers. Secret addresses end, it follows no address any more, and the new owner is
     * no guest of its own events. Refuses with `conflict`, `calendar_limit`, `event_limit`.
     */
    async move(given: AnyTransaction, id: string, sides: TransferSides): Promise<void> {
      const trx = inTables<CalendarTables>(given)
      const { fromId, toId } = sides
      const { count } = await trx
        .selectFrom('calendars')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('account_id', '=', toId)
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow()
      if (Number(count) >= mostCalendars) throw fail('calendar_limit')
      const { numUpdatedRows } = await trx
        .updateTable('calendars')
        .set({ account_id: toId })
        .where('id', '=', id)
        .where('account_id', '=', fromId)
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) throw fail('conflict')
      // What is in the trash was thrown away by the former owner, and is nobody else's.
      await trx
        .updateTable('calendar_events')
        .set({ calendar_id: null })
        .where('calendar_id', '=', id)
        .where('deleted_at', 'is not', null)
        .execute()
      await trx.updateTable('calendar_events').set({ account_id: toId }).where('calendar_id', '=', id).execute()
      const events = await trx
        .selectFrom('calendar_events')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('account_id', '=', toId)
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow()
      if (Number(events.count) > mostEvents) throw fail('event_limit')
      await reseal(trx, id, sides)
      for (const table of ['calendar_guests', 'calendar_guest_answers'] as const)
        await trx
          .deleteFrom(table)
          .where('account_id', '=', toId)
          .where('event_id', 'in', (eb) => eb.selectFrom('calendar_events').select('id').where('calendar_id', '=', id))
          .execute()
      await trx.deleteFrom('calendar_feeds').where('calendar_id', '=', id).execute()
      await trx.deleteFrom('calendar_subscriptions').where('calendar_id', '=', id).execute()
      await texts.move([id], partitionOf(toId), trx)
    },

    /** Events that somebody added while it was handed over come along; all are known by their UIDs to the new owner. */
    async finish(id: string, sides: TransferSides): Promise<void> {
      const isTheirs = await database.write<CalendarTables, boolean>(async (trx) => {
        const row = await trx.selectFrom('calendars').select('account_id').where('id', '=', id).executeTakeFirst()
        if (row?.account_id !== sides.toId) return false
        await trx
          .updateTable('calendar_events')
          .set({ account_id: sides.toId })
          .where('calendar_id', '=', id)
          .where('account_id', '=', sides.fromId)
          .where('deleted_at', 'is', null)
          .execute()
        await reseal(trx, id, sides)
        await texts.move([id], partitionOf(sides.toId), trx)
        return true
      })
      if (isTheirs) await renewDigests(id, sides.toId)
    },
  }
}

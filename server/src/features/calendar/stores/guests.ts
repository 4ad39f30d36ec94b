/** Who is invited to which event, and what they answered: to all of it, and to single occurrences. */
import type { GuestAnswer } from '@atrium/contract/calendar'
import { sql, type Transaction } from 'kysely'
import { type AnyTransaction, inTables } from '../../../platform/db/types.ts'
import type { CalendarDeps } from '../dependencies.ts'
import type { CalendarTables } from '../tables.ts'

export interface StoredGuest {
  readonly accountId: string
  readonly answer: GuestAnswer
  /** Answers to single occurrences, by their names in integer milliseconds. */
  readonly answers: ReadonlyMap<number, GuestAnswer>
}

/** For the question who may read an event: a guest may. */
export const eventGuests = sql<{
  id: string
  account_id: string
}>`select event_id as id, account_id from calendar_guests`

/** What a guest answered for an occurrence; null: for all of the event. */
export const answerOf = ({ answer, answers }: StoredGuest, occurrence: number | null): GuestAnswer =>
  (occurrence === null ? undefined : answers.get(occurrence)) ?? answer

/** Whoever has read these events elsewhere is to read them again. Their versions stay: what their writers see is as it was. */
const touch = async (
  trx: Pick<Transaction<CalendarTables>, 'updateTable'>,
  eventIds: readonly string[],
): Promise<void> => {
  await trx
    .updateTable('calendar_events')
    .set((eb) => ({ updated_at: eb('updated_at', '+', 1) }))
    .where('id', 'in', eventIds)
    .execute()
}

export type GuestStore = ReturnType<typeof createGuestStore>

const atOnce = 1000

export const createGuestStore = ({ database }: Pick<CalendarDeps, 'database'>) => {
  const tables = database.tables<CalendarTables>()

  const ofEvents = async (eventIds: readonly string[]): Promise<Map<string, StoredGuest[]>> => {
    const found = new Map<string, StoredGuest[]>()
    for (let begin = 0; begin < eventIds.length; begin += atOnce) {
      const ids = eventIds.slice(begin, begin + atOnce)
      const guests = await tables
        .selectFrom('calendar_guests')
        .selectAll()
        .where('event_id', 'in', ids)
        .orderBy('invited_at')
        .orderBy('account_id')
        .execute()
      if (guests.length === 0) continue
      const answers = await tables
        .selectFrom('calendar_guest_answers')
        .selectAll()
        .where('event_id', 'in', [...new Set(guests.map(({ event_id }) => event_id))])
        .execute()
      const byGuest = Map.groupBy(answers, ({ event_id, account_id }) => `${event_id} ${account_id}`)
      for (const { event_id, account_id, answer } of guests) {
        const own = byGuest.get(`${event_id} ${account_id}`) ?? []
        const guest = {
          accountId: account_id,
          answer,
          answers: new Map(own.map(({ occurrence, answer: one }) => [occurrence, one])),
        }
        found.set(event_id, [...(found.get(event_id) ?? []), guest])
      }
    }
    return found
  }

  return {
    /** Those of these events, in the order in which they were invited. */
    ofEvents,

    async ofEvent(eventId: string): Promise<readonly StoredGuest[]> {
      return (await ofEvents([eventId])).get(eventId) ?? []
    },

    async isGuest(eventId: string, accountId: string): Promise<boolean> {
      const row = await tables
        .selectFrom('calendar_guests')
        .select('event_id')
        .where('event_id', '=', eventId)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return row !== undefined
    },

    /** Whether an account is a guest of any event. */
    async isInvited(accountId: string): Promise<boolean> {
      const row = await tables
        .selectFrom('calendar_guests')
        .select('event_id')
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return row !== undefined
    },

    /** Whose events an account is a guest of. */
    async ownersOf(accountId: string): Promise<string[]> {
      const rows = await tables
        .selectFrom('calendar_events')
        .select('account_id')
        .distinct()
        .where('deleted_at', 'is', null)
        .where('id', 'in', (eb) =>
          eb.selectFrom('calendar_guests').select('event_id').where('calendar_guests.account_id', '=', accountId),
        )
        .execute()
      return rows.map(({ account_id }) => account_id)
    },

    /** Invites some and takes others off, within a transaction. */
    async change(
      trx: AnyTransaction,
      eventId: string,
      { added, removed, at }: { added: readonly string[]; removed: readonly string[]; at: number },
    ): Promise<void> {
      const inTrx = inTables<CalendarTables>(trx)
      if (removed.length > 0)
        await inTrx
          .deleteFrom('calendar_guests')
          .where('event_id', '=', eventId)
          .where('account_id', 'in', removed)
          .execute()
      if (added.length > 0)
        await inTrx
          .insertInto('calendar_guests')
          .values(
            added.map((account_id) => ({ event_id: eventId, account_id, invited_at: at, answer: 'waiting' as const })),
          )
          .onConflict((on) => on.doNothing())
          .execute()
    },

    /** Guests of an event are those of what was split off it, with their answers from there on. */
    async copy(
      trx: AnyTransaction,
      eventId: string,
      guests: readonly StoredGuest[],
      { from, at }: { from: number; at: number },
    ): Promise<void> {
      if (guests.length === 0) return
      const inTrx = inTables<CalendarTables>(trx)
      await inTrx
        .insertInto('calendar_guests')
        .values(
          guests.map(({ accountId, answer }) => ({ event_id: eventId, account_id: accountId, invited_at: at, answer })),
        )
        .execute()
      const answers = guests.flatMap(({ accountId, answers: own }) =>
        [...own].flatMap(([occurrence, answer]) =>
          occurrence < from ? [] : [{ event_id: eventId, account_id: accountId, occurrence, answer }],
        ),
      )
      if (answers.length > 0) await inTrx.insertInto('calendar_guest_answers').values(answers).execute()
    },

    /** An answer to one occurrence, or to all, which takes back those to single ones. false: it is no guest. */
    async answer(
      trx: AnyTransaction,
      { eventId, accountId }: { eventId: string; accountId: string },
      occurrence: number | null,
      answer: GuestAnswer,
    ): Promise<boolean> {
      const inTrx = inTables<CalendarTables>(trx)
      const ofGuest = { event_id: eventId, account_id: accountId }
      const guest = await inTrx
        .selectFrom('calendar_guests')
        .select('answer')
        .where('event_id', '=', eventId)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      if (!guest) return false
      await touch(inTrx, [eventId])
      if (occurrence !== null) {
        await inTrx
          .insertInto('calendar_guest_answers')
          .values({ ...ofGuest, occurrence, answer })
          .onConflict((on) => on.columns(['event_id', 'account_id', 'occurrence']).doUpdateSet({ answer }))
          .execute()
        return true
      }
      await inTrx
        .updateTable('calendar_guests')
        .set({ answer })
        .where('event_id', '=', eventId)
        .where('account_id', '=', accountId)
        .execute()
      await inTrx
        .deleteFrom('calendar_guest_answers')
        .where('event_id', '=', eventId)
        .where('account_id', '=', accountId)
        .execute()
      return true
    },

    /** Takes an account off all events. */
    async removeAccount(accountId: string): Promise<void> {
      await database.write<CalendarTables, void>(async (trx) => {
        const rows = await trx
          .deleteFrom('calendar_guests')
          .where('account_id', '=', accountId)
          .returning('event_id')
          .execute()
        const ids = rows.map(({ event_id }) => event_id)
        for (let begin = 0; begin < ids.length; begin += atOnce) await touch(trx, ids.slice(begin, begin + atOnce))
      })
    },
  }
}

/** Events in the database, sealed with the keys of their owner, and their words in the index. */
import { type ExpressionBuilder, type Transaction, sql } from 'kysely'
import type { AnyTransaction } from '../../../platform/db/types.ts'
import { createTrashStore, type PlaceRow } from '../../../core/resources/index.ts'
import { createdAfter, creationKey, cutPage } from '../../../platform/db/cursor.ts'
import type { CalendarDeps } from '../dependencies.ts'
import { namesInFile } from '../guests/attendees.ts'
import type { EventContent } from '../content.ts'
import { boundsOf } from '../series/occurrences.ts'
import type { CalendarTables } from '../tables.ts'
import { createEventRows } from './event-rows.ts'
import type { GuestStore } from './guests.ts'
import { reckonAgain } from './reckon.ts'

/** An event as it is kept; times are integer milliseconds. */
export interface StoredEvent {
  readonly id: string
  readonly accountId: string
  readonly calendarId: string | null
  readonly content: EventContent
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
  /** When it went to the trash. */
  readonly deletedAt: number | null
}

/** Where all events stand: whoever reads a calendar reads what is in it. In the trash one is its owner's alone. */
export const eventPlaces = sql<PlaceRow>`select id, account_id as owner_id, calendar_id as within_id,
  case when deleted_at is null then 1 else 0 end as shown from calendar_events`

/** The partition of the index that holds an account's events; a group of it is a calendar. */
export const partitionOf = (accountId: string): string => `calendar-events:${accountId}`
const entryPrefix = 'calendar-event:'
export const eventOfEntry = (entryId: string): string => entryId.slice(entryPrefix.length)

/** What a range is asked of: own events, and those of calendars of others. */
export interface Reach {
  /** null: none of its own. */
  readonly accountId: string | null
  readonly calendarIds: readonly string[]
}

export type EventStore = ReturnType<typeof createEventStore>

const atOnce = 200

export const createEventStore = (
  {
    clock,
    database,
    indexes: { texts },
    namesOf,
    vault,
  }: Pick<CalendarDeps, 'clock' | 'database' | 'indexes' | 'namesOf' | 'vault'>,
  guests: GuestStore,
) => {
  const { digestOf, seal, openAll } = createEventRows({ vault })
  const tables = database.tables<CalendarTables>()
  const live = () => tables.selectFrom('calendar_events').selectAll().where('deleted_at', 'is', null)

  /** Those that an account is a guest of. */
  const invitedTo = (accountId: string) =>
    tables.selectFrom('calendar_guests').select('event_id').where('account_id', '=', accountId)

  const reaches =
    ({ accountId, calendarIds }: Reach) =>
    (eb: ExpressionBuilder<CalendarTables, 'calendar_events'>) =>
      eb.or([
        ...(accountId === null ? [] : [eb('account_id', '=', accountId)]),
        ...(calendarIds.length === 0 ? [] : [eb('calendar_id', 'in', calendarIds)]),
      ])

  /** The words of those that are not in the trash, for the index. `invited`: who will be the guests of some, by id. */
  const hashWords = async (events: readonly StoredEvent[], invited: ReadonlyMap<string, readonly string[]>) => {
    const shown = events.filter(({ deletedAt }) => deletedAt === null)
    const known = await guests.ofEvents(shown.flatMap(({ id }) => (invited.has(id) ? [] : [id])))
    const guestsOf = (id: string) => invited.get(id) ?? (known.get(id) ?? []).map(({ accountId }) => accountId)
    const people = [...new Set(shown.flatMap(({ id }) => guestsOf(id)))]
    const names = people.length === 0 ? new Map<string, string>() : await namesOf(people)
    return texts.hash(
      shown.map(({ id, accountId, calendarId, content }) => {
        const guestNames = [...guestsOf(id).flatMap((guest) => names.get(guest) ?? []), ...namesInFile(content)]
        return {
          id: `${entryPrefix}${id}`,
          group: calendarId ?? accountId,
          partition: partitionOf(accountId),
          time: Math.max(0, boundsOf(content).startsAt),
          facets: [],
          text: [content.title, content.place, ...guestNames, content.notes].join('\n'),
          prefixes: true,
        }
      }),
    )
  }
  const removeWords = (trx: Transaction<CalendarTables>, ids: readonly string[]): Promise<void> =>
    texts.remove(
      ids.map((id) => `${entryPrefix}${id}`),
      trx,
    )
  /** Reminders of these are reckoned anew. */
  const reckonReminders = async (trx: Transaction<CalendarTables>, ids: readonly string[]): Promise<void> => {
    for (let begin = 0; begin < ids.length; begin += atOnce)
      await trx
        .updateTable('calendar_reminders')
        .set({ next_at: reckonAgain(clock.now()) })
        .where('event_id', 'in', ids.slice(begin, begin + atOnce))
        .execute()
  }
  const countOf = async (from: Pick<typeof tables, 'selectFrom'>, accountId: string): Promise<number> => {
    const { count } = await from
      .selectFrom('calendar_events')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  return {
    /** Those in reach whose bounds touch a range, by their beginning; at most so many. */
    async inRange(reach: Reach, from: number, to: number, limit: number): Promise<StoredEvent[]> {
      if (reach.accountId === null && reach.calendarIds.length === 0) return []
      const rows = await live()
        .where(reaches(reach))
        .where('ends_at', '>=', from)
        .where('starts_at', '<', to)
        .orderBy('starts_at')
        .orderBy('id')
        .limit(limit)
        .execute()
      return openAll(rows)
    },

    /** Those of others that an account is invited to, as above. */
    async ofGuest(accountId: string, from: number, to: number, limit: number): Promise<StoredEvent[]> {
      const rows = await live()
        .where('id', 'in', invitedTo(accountId))
        .where('ends_at', '>=', from)
        .where('starts_at', '<', to)
        .orderBy('starts_at')
        .orderBy('id')
        .limit(limit)
        .execute()
      return openAll(rows)
    },

    /** All of an account, of one calendar, or that an account is invited to, page by page, oldest first. Refuses with `bad_cursor`. */
    async page(
      where: { accountId: string } | { calendarId: string } | { guestId: string },
      limit: number,
      cursor: string | undefined,
    ) {
      const rows = await live()
        .where((eb) => {
          if ('accountId' in where) return eb('account_id', '=', where.accountId)
          if ('calendarId' in where) return eb('calendar_id', '=', where.calendarId)
          return eb('id', 'in', invitedTo(where.guestId))
        })
        .$if(cursor !== undefined, (query) => query.where(createdAfter(cursor ?? '')))
        .orderBy('created_at')
        .orderBy('id')
        .limit(limit + 1)
        .execute()
      const { items, nextCursor } = cutPage(rows, limit, creationKey)
      return { items: await openAll(items), nextCursor }
    },

    /** Those of the ids that are there, of whomever. */
    async readMany(ids: readonly string[]): Promise<StoredEvent[]> {
      return ids.length === 0 ? [] : openAll(await live().where('id', 'in', ids).execute())
    },

    /** Own ones with these UIDs, by UID; of several the oldest. */
    async withUids(accountId: string, uids: readonly string[]): Promise<Map<string, StoredEvent>> {
      const found = new Map<string, StoredEvent>()
      for (let begin = 0; begin < uids.length; begin += atOnce) {
        const digests = uids.slice(begin, begin + atOnce).map((uid) => digestOf(accountId, uid))
        const rows = await live()
          .where('account_id', '=', accountId)
          .where('uid_digest', 'in', digests)
          .orderBy('created_at', 'desc')
          .execute()
        for (const event of await openAll(rows)) found.set(event.content.uid, event)
      }
      return found
    },

    /** Adds some, and puts others in the place of what was read, all or none. false: the account would have too many. `also` is done with it; `invited`: who is a guest of which then. */
    async put(
      accountId: string,
      added: readonly StoredEvent[],
      replaced: readonly StoredEvent[],
      most: number,
      also: (trx: AnyTransaction) => Promise<void> = async () => undefined,
      invited: ReadonlyMap<string, readonly string[]> = new Map(),
    ): Promise<boolean> {
      const rows = await Promise.all([...added, ...replaced].map(seal))
      const words = await hashWords([...added, ...replaced], invited)
      return await database.write<CalendarTables, boolean>(async (trx) => {
        if ((await countOf(trx, accountId)) + added.length > most) return false
        for (let begin = 0; begin < rows.length; begin += atOnce)
          await trx
            .insertInto('calendar_events')
            .values(rows.slice(begin, begin + atOnce))
            .onConflict((on) =>
              on.column('id').doUpdateSet((eb) => ({
                calendar_id: eb.ref('excluded.calendar_id'),
                content: eb.ref('excluded.content'),
                starts_at: eb.ref('excluded.starts_at'),
                ends_at: eb.ref('excluded.ends_at'),
                version: eb.ref('excluded.version'),
                updated_at: eb.ref('excluded.updated_at'),
              })),
            )
            .execute()
        await reckonReminders(
          trx,
          replaced.map(({ id }) => id),
        )
        await texts.put(words, trx)
        await also(trx)
        return true
      })
    },

    /**
     * Puts a changed one in the place of what was read, and adds what was split off. `changed`: somebody else was
     * quicker; `full`: the account would have too many. `also` is done with it, in the same transaction; `invited`: who is a guest of
     * which then.
     */
    async replace(
      before: StoredEvent,
      after: StoredEvent,
      added: readonly StoredEvent[] = [],
      most = Infinity,
      also: (trx: AnyTransaction) => Promise<void> = async () => undefined,
      invited: ReadonlyMap<string, readonly string[]> = new Map(),
    ): Promise<'done' | 'changed' | 'full'> {
      const [row, ...more] = await Promise.all([after, ...added].map(seal))
      const words = await hashWords([after, ...added], invited)
      if (!row) return 'changed'
      return await database.write<CalendarTables, 'done' | 'changed' | 'full'>(async (trx) => {
        if (added.length > 0 && (await countOf(trx, after.accountId)) + added.length > most) return 'full'
        const { numUpdatedRows } = await trx
          .updateTable('calendar_events')
          .set(row)
          .where('id', '=', before.id)
          // Not what has another owner meanwhile: all of the row is written.
          .where('account_id', '=', before.accountId)
          .where('version', '=', before.version)
          .where('deleted_at', before.deletedAt === null ? 'is' : '=', before.deletedAt)
          .executeTakeFirstOrThrow()
        if (numUpdatedRows === 0n) return 'changed'
        if (more.length > 0) await trx.insertInto('calendar_events').values(more).execute()
        await reckonReminders(trx, [after.id])
        if (after.deletedAt !== null) await removeWords(trx, [after.id])
        await texts.put(words, trx)
        await also(trx)
        return 'done'
      })
    },

    trash: createTrashStore<CalendarTables, 'calendar_events', StoredEvent>('calendar_events', {
      database,
      openAll,
      removeTraces: removeWords,
    }),

    /** Deletes these for good, with their words and whatever is told of them. */
    remove: (ids: readonly string[]): Promise<void> =>
      database.write<CalendarTables, void>(async (trx) => {
        await trx.deleteFrom('calendar_events').where('id', 'in', ids).execute()
        await removeWords(trx, ids)
      }),

    count: (accountId: string): Promise<number> => countOf(tables, accountId),

    /** Removes all own ones, and what the account was reminded of. */
    removeAccount: (accountId: string): Promise<void> =>
      database.write<CalendarTables, void>(async (trx) => {
        await trx.deleteFrom('calendar_reminders').where('account_id', '=', accountId).execute()
        await trx.deleteFrom('calendar_events').where('account_id', '=', accountId).execute()
        await texts.removePartitions([partitionOf(accountId)], trx)
      }),
  }
}

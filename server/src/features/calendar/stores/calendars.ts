/** Calendars in the database, sealed with the keys of their owner. */
import type { Calendar } from '@atrium/contract/calendar'
import { type Transaction, sql } from 'kysely'
import { createTrashStore, type PlaceRow } from '../../../core/resources/index.ts'
import { createdAfter, creationKey, cutPage } from '../../../platform/db/cursor.ts'
import { openWords } from '../../../platform/stored-json.ts'
import { toIsoTime } from '../../../platform/iso-time.ts'
import type { CalendarDeps } from '../dependencies.ts'
import type { CalendarRow, CalendarTables } from '../tables.ts'

/** A calendar as its owner made it; times are integer milliseconds. */
export interface StoredCalendar {
  readonly id: string
  readonly accountId: string
  readonly name: string
  readonly createdAt: number
  readonly updatedAt: number
  /** When it went to the trash. */
  readonly deletedAt: number | null
}

/** Where all calendars stand, for the question who may see them. In the trash one is its owner's alone. */
export const calendarPlaces = sql<PlaceRow>`select id, account_id as owner_id, null as within_id,
  case when deleted_at is null then 1 else 0 end as shown from calendars`

/** `shared`: null for its owner. */
export const toCalendar = (
  { id, name, createdAt, updatedAt }: StoredCalendar,
  color: string | null,
  shared: Calendar['shared'],
  subscription: Calendar['subscription'] = null,
): Calendar => ({
  id,
  name,
  color,
  createdAt: toIsoTime(createdAt),
  updatedAt: toIsoTime(updatedAt),
  shared,
  subscription,
})

export type CalendarStore = ReturnType<typeof createCalendarStore>

export const createCalendarStore = ({
  access,
  database,
  vault,
}: Pick<CalendarDeps, 'database' | 'vault'> & { readonly access: Pick<CalendarDeps['access'], 'removeGrants'> }) => {
  const tables = database.tables<CalendarTables>()
  const live = () => tables.selectFrom('calendars').selectAll().where('deleted_at', 'is', null)

  const seal = async (calendar: StoredCalendar): Promise<CalendarRow> => ({
    id: calendar.id,
    account_id: calendar.accountId,
    name: (await vault.keyring(calendar.accountId)).seal('calendars.name', calendar.id, calendar.name),
    created_at: calendar.createdAt,
    updated_at: calendar.updatedAt,
    deleted_at: calendar.deletedAt,
  })
  const open = async (row: CalendarRow): Promise<StoredCalendar> => ({
    id: row.id,
    accountId: row.account_id,
    name: openWords(await vault.keyring(row.account_id), 'calendars.name', row.id, row.name),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    deletedAt: row.deleted_at,
  })
  const openAll = (rows: readonly CalendarRow[]) => Promise.all(rows.map(open))
  /** Their events are in none from then on. */
  const removeRows = async (trx: Transaction<CalendarTables>, ids: readonly string[]): Promise<void> => {
    await trx.updateTable('calendar_events').set({ calendar_id: null }).where('calendar_id', 'in', ids).execute()
    await access.removeGrants('calendar', ids, trx)
  }

  return {
    /** All own ones, oldest first. */
    async ofAccount(accountId: string): Promise<StoredCalendar[]> {
      return openAll(await live().where('account_id', '=', accountId).orderBy('created_at').orderBy('id').execute())
    },

    /** The ids of all own ones, with those in the trash. */
    async idsOf(accountId: string): Promise<string[]> {
      const rows = await tables.selectFrom('calendars').select('id').where('account_id', '=', accountId).execute()
      return rows.map(({ id }) => id)
    },

    /** Own ones page by page, oldest first. Refuses with `bad_cursor`. */
    async page(accountId: string, limit: number, cursor: string | undefined) {
      const rows = await live()
        .where('account_id', '=', accountId)
        .$if(cursor !== undefined, (query) => query.where(createdAfter(cursor ?? '')))
        .orderBy('created_at')
        .orderBy('id')
        .limit(limit + 1)
        .execute()
      const { items, nextCursor } = cutPage(rows, limit, creationKey)
      return { items: await openAll(items), nextCursor }
    },

    /** Those of the ids that are there, of whomever. */
    async readMany(ids: readonly string[]): Promise<StoredCalendar[]> {
      return ids.length === 0 ? [] : openAll(await live().where('id', 'in', ids).execute())
    },

    /** false: the account has `most` of them already. */
    async add(calendar: StoredCalendar, most: number): Promise<boolean> {
      const row = await seal(calendar)
      return await database.write<CalendarTables, boolean>(async (trx) => {
        const { count } = await trx
          .selectFrom('calendars')
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .where('account_id', '=', calendar.accountId)
          .where('deleted_at', 'is', null)
          .executeTakeFirstOrThrow()
        if (Number(count) >= most) return false
        await trx.insertInto('calendars').values(row).execute()
        return true
      })
    },

    /** Puts a changed one in the place of what was read; false: it was deleted, restored, removed or handed over meanwhile. */
    async replace(before: StoredCalendar, after: StoredCalendar): Promise<boolean> {
      const row = await seal(after)
      const { numUpdatedRows } = await tables
        .updateTable('calendars')
        .set(row)
        .where('id', '=', before.id)
        .where('account_id', '=', before.accountId)
        .where('deleted_at', before.deletedAt === null ? 'is' : '=', before.deletedAt)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    /** The colours that an account chose, by calendar. */
    async colorsOf(accountId: string): Promise<Map<string, string>> {
      const rows = await tables.selectFrom('calendar_colors').selectAll().where('account_id', '=', accountId).execute()
      return new Map(rows.map(({ calendar_id, color }) => [calendar_id, color]))
    },

    /** null takes the choice back. */
    async setColor(calendarId: string, accountId: string, color: string | null): Promise<void> {
      if (color === null)
        await tables
          .deleteFrom('calendar_colors')
          .where('calendar_id', '=', calendarId)
          .where('account_id', '=', accountId)
          .execute()
      else
        await tables
          .insertInto('calendar_colors')
          .values({ calendar_id: calendarId, account_id: accountId, color })
          .onConflict((on) => on.columns(['calendar_id', 'account_id']).doUpdateSet({ color }))
          .execute()
    },

    trash: createTrashStore<CalendarTables, 'calendars', StoredCalendar>('calendars', {
      database,
      openAll,
      removeTraces: removeRows,
    }),

    /** Deletes one for good, with its grants. */
    remove: (id: string): Promise<void> =>
      database.write<CalendarTables, void>(async (trx) => {
        await trx.deleteFrom('calendars').where('id', '=', id).execute()
        await removeRows(trx, [id])
      }),

    async count(accountId: string): Promise<number> {
      const { count } = await tables
        .selectFrom('calendars')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('account_id', '=', accountId)
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    /** Removes all own ones, and the colours of others' that the account chose. */
    removeAccount: (accountId: string): Promise<void> =>
      database.write<CalendarTables, void>(async (trx) => {
        await trx.deleteFrom('calendar_colors').where('account_id', '=', accountId).execute()
        const rows = await trx.deleteFrom('calendars').where('account_id', '=', accountId).returning('id').execute()
        if (rows.length > 0)
          await removeRows(
            trx,
            rows.map(({ id }) => id),
          )
      }),
  }
}

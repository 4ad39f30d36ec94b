/** Secret addresses of calendars in the database, known by the digests of their secrets alone. */
import { sql } from 'kysely'
import { createHash } from 'node:crypto'
import type { FeedContent } from '@atrium/contract/calendar'
import type { CalendarDeps } from '../dependencies.ts'
import type { CalendarFeedRow, CalendarTables } from '../tables.ts'

export type FeedStore = ReturnType<typeof createFeedStore>

export const createFeedStore = ({ database }: Pick<CalendarDeps, 'database'>) => {
  const tables = database.tables<CalendarTables>()
  return {
    async ofCalendar(calendarId: string): Promise<CalendarFeedRow[]> {
      return tables.selectFrom('calendar_feeds').selectAll().where('calendar_id', '=', calendarId).execute()
    },

    /** Puts a new secret in the place of an earlier one. */
    async put(calendarId: string, content: FeedContent, secret: string, now: number): Promise<CalendarFeedRow> {
      const row = {
        calendar_id: calendarId,
        content,
        secret_digest: digestOf(secret),
        created_at: now,
        last_read_at: null,
      }
      await tables
        .insertInto('calendar_feeds')
        .values(row)
        .onConflict((conflict) => conflict.columns(['calendar_id', 'content']).doUpdateSet(row))
        .execute()
      return row
    },

    /** false: there was none. */
    async remove(calendarId: string, content: FeedContent): Promise<boolean> {
      const { numDeletedRows } = await tables
        .deleteFrom('calendar_feeds')
        .where('calendar_id', '=', calendarId)
        .where('content', '=', content)
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },

    /** The one of a secret, of a calendar that is not in the trash; null: there is none. */
    async find(secret: string): Promise<Pick<CalendarFeedRow, 'calendar_id' | 'content' | 'last_read_at'> | null> {
      const row = await tables
        .selectFrom('calendar_feeds')
        .innerJoin('calendars', 'calendars.id', 'calendar_feeds.calendar_id')
        .select(['calendar_feeds.calendar_id', 'calendar_feeds.content', 'calendar_feeds.last_read_at'])
        .where('secret_digest', '=', digestOf(secret))
        .where('calendars.deleted_at', 'is', null)
        .executeTakeFirst()
      return row ?? null
    },

    async markRead(calendarId: string, content: FeedContent, now: number): Promise<void> {
      await tables
        .updateTable('calendar_feeds')
        .set({ last_read_at: now })
        .where('calendar_id', '=', calendarId)
        .where('content', '=', content)
        .execute()
    },

    /** Changes with every event that comes into a calendar, leaves it or is changed or answered in it. */
    async revision(calendarId: string): Promise<string> {
      const { count, latest, times, versions } = await tables
        .selectFrom('calendar_events')
        .select((eb) => [
          eb.fn.countAll<number>().as('count'),
          eb.fn.max('updated_at').as('latest'),
          sql<number>`sum(updated_at % 1000000)`.as('times'),
          eb.fn.sum<number>('version').as('versions'),
        ])
        .where('calendar_id', '=', calendarId)
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow()
      return [count, latest ?? 0, times ?? 0, versions ?? 0].map(Number).join('-')
    },
  }
}

const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** The colours that accounts gave to single events for themselves. */
import type { CalendarDeps } from '../dependencies.ts'
import type { CalendarTables } from '../tables.ts'

export type EventColorStore = ReturnType<typeof createEventColorStore>

const atOnce = 1000

export const createEventColorStore = ({ database }: Pick<CalendarDeps, 'database'>) => {
  const tables = database.tables<CalendarTables>()
  return {
    /** Those that an account chose, by event. */
    async of(accountId: string, eventIds: readonly string[]): Promise<Map<string, string>> {
      const found = new Map<string, string>()
      for (let begin = 0; begin < eventIds.length; begin += atOnce) {
        const rows = await tables
          .selectFrom('calendar_event_colors')
          .select(['event_id', 'color'])
          .where('account_id', '=', accountId)
          .where('event_id', 'in', eventIds.slice(begin, begin + atOnce))
          .execute()
        for (const { event_id, color } of rows) found.set(event_id, color)
      }
      return found
    },

    /** null takes the choice back. */
    async set(eventId: string, accountId: string, color: string | null): Promise<void> {
      if (color === null)
        await tables
          .deleteFrom('calendar_event_colors')
          .where('event_id', '=', eventId)
          .where('account_id', '=', accountId)
          .execute()
      else
        await tables
          .insertInto('calendar_event_colors')
          .values({ event_id: eventId, account_id: accountId, color })
          .onConflict((on) => on.columns(['event_id', 'account_id']).doUpdateSet({ color }))
          .execute()
    },

    async removeAccount(accountId: string): Promise<void> {
      await tables.deleteFrom('calendar_event_colors').where('account_id', '=', accountId).execute()
    },
  }
}

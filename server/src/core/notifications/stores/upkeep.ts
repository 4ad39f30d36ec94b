/** What is done with notifications of everybody, from time to time. */
import type { Database } from '../../../platform/db/types.ts'
import type { NotificationTables } from '../tables.ts'

const batch = 500
/** So many come back in one transaction. */
const wakeBatch = 50

export type UpkeepStore = ReturnType<typeof createUpkeepStore>

export const createUpkeepStore = ({ database }: { database: Database }) => {
  const tables = database.tables<NotificationTables>()

  return {
    /** Some that were snoozed until now or before. */
    dueSnoozes: (now: number): Promise<{ id: string; accountId: string }[]> =>
      tables
        .selectFrom('notifications')
        .select(['id', 'account_id as accountId'])
        .where('snoozed_until', '<=', now)
        .orderBy('snoozed_until')
        .limit(wakeBatch)
        .execute(),

    /** Accounts behind an id that have notifications from before a time, or more than `most`; by id, some at a time. */
    async accountsToTidy(after: string, before: number, most: number): Promise<string[]> {
      const rows = await tables
        .selectFrom('notifications')
        .select('account_id')
        .where('account_id', '>', after)
        .groupBy('account_id')
        .having((by) => by.or([by(by.fn.min('sorted_at'), '<', before), by(by.fn.countAll<number>(), '>', most)]))
        .orderBy('account_id')
        .limit(batch)
        .execute()
      return rows.map(({ account_id }) => account_id)
    },

    /** Removes those from before a time that come after the newest `kept`, and all that come after the newest `most`. */
    async tidy(accountId: string, before: number, kept: number, most: number): Promise<void> {
      const placeAfter = async (count: number) =>
        await tables
          .selectFrom('notifications')
          .select(['sorted_at', 'id'])
          .where('account_id', '=', accountId)
          .orderBy('sorted_at', 'desc')
          .orderBy('id', 'desc')
          .offset(count - 1)
          .limit(1)
          .executeTakeFirst()
      for (const [place, only] of [
        [await placeAfter(kept), before],
        [await placeAfter(most), Number.MAX_SAFE_INTEGER],
      ] as const) {
        if (!place) continue
        await tables
          .deleteFrom('notifications')
          .where('account_id', '=', accountId)
          .where('sorted_at', '<', only)
          .where((by) => by(by.refTuple('sorted_at', 'id'), '<', by.tuple(place.sorted_at, place.id)))
          .execute()
      }
    },
  }
}

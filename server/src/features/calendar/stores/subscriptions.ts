/** Calendars that follow an address, in the database. Nothing tells the address but a row that its owner's key opens. */
import type { SubscriptionFailure } from '@atrium/contract/calendar'
import { openWords } from '../../../platform/stored-json.ts'
import type { CalendarDeps } from '../dependencies.ts'
import type { CalendarSubscriptionRow, CalendarTables } from '../tables.ts'

/** Times are integer milliseconds. */
export interface StoredSubscription {
  readonly calendarId: string
  readonly accountId: string
  readonly url: string
  readonly contentDigest: string | null
  readonly refreshedAt: number | null
  readonly nextAt: number
  readonly failures: number
  readonly failure: SubscriptionFailure | null
}

/** What a look changes. */
export type SubscriptionState = Pick<
  StoredSubscription,
  'contentDigest' | 'refreshedAt' | 'nextAt' | 'failures' | 'failure'
>

export type SubscriptionStore = ReturnType<typeof createSubscriptionStore>

export const createSubscriptionStore = ({ database, vault }: Pick<CalendarDeps, 'database' | 'vault'>) => {
  const tables = database.tables<CalendarTables>()
  const open = async (row: CalendarSubscriptionRow): Promise<StoredSubscription> => ({
    calendarId: row.calendar_id,
    accountId: row.account_id,
    url: openWords(await vault.keyring(row.account_id), 'calendar_subscriptions.url', row.calendar_id, row.url),
    contentDigest: row.content_digest,
    refreshedAt: row.refreshed_at,
    nextAt: row.next_at,
    failures: row.failures,
    failure: row.failure,
  })

  return {
    async add(subscription: StoredSubscription): Promise<void> {
      const { calendarId, accountId, url } = subscription
      await tables
        .insertInto('calendar_subscriptions')
        .values({
          calendar_id: calendarId,
          account_id: accountId,
          url: (await vault.keyring(accountId)).seal('calendar_subscriptions.url', calendarId, url),
          ...toColumns(subscription),
        })
        .execute()
    },

    /** Those of these calendars that follow an address, by calendar. */
    async ofCalendars(calendarIds: readonly string[]): Promise<Map<string, StoredSubscription>> {
      if (calendarIds.length === 0) return new Map()
      const rows = await tables
        .selectFrom('calendar_subscriptions')
        .selectAll()
        .where('calendar_id', 'in', calendarIds)
        .execute()
      return new Map(await Promise.all(rows.map(async (row) => [row.calendar_id, await open(row)] as const)))
    },

    /** Whether nothing in a calendar can be changed here. */
    async has(calendarId: string | null): Promise<boolean> {
      if (calendarId === null) return false
      const row = await tables
        .selectFrom('calendar_subscriptions')
        .select('calendar_id')
        .where('calendar_id', '=', calendarId)
        .executeTakeFirst()
      return row !== undefined
    },

    /** Those that are to be read again, the longest due first. */
    async due(now: number, limit: number): Promise<StoredSubscription[]> {
      const rows = await tables
        .selectFrom('calendar_subscriptions')
        .selectAll()
        .where('next_at', '<=', now)
        .orderBy('next_at')
        .limit(limit)
        .execute()
      return await Promise.all(rows.map(open))
    },

    /** Keeps others from reading it until a time; false: somebody else does, or it is gone. */
    async claim({ calendarId, nextAt }: StoredSubscription, until: number): Promise<boolean> {
      const { numUpdatedRows } = await tables
        .updateTable('calendar_subscriptions')
        .set({ next_at: until })
        .where('calendar_id', '=', calendarId)
        .where('next_at', '=', nextAt)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    async write(calendarId: string, state: SubscriptionState): Promise<void> {
      await tables
        .updateTable('calendar_subscriptions')
        .set(toColumns(state))
        .where('calendar_id', '=', calendarId)
        .execute()
    },
  }
}

const toColumns = ({ contentDigest, refreshedAt, nextAt, failures, failure }: SubscriptionState) => ({
  content_digest: contentDigest,
  refreshed_at: refreshedAt,
  next_at: nextAt,
  failures,
  failure,
})

/** The inbox of an account in the database. Times are integer milliseconds. */
import { type Notification, type NotificationState, mostCounted, wordsOf } from '@atrium/contract/notifications'
import { type ExpressionBuilder, sql } from 'kysely'
import { type CursorKey, cutPage, decodeCursor, encodeCursor } from '../../../platform/db/cursor.ts'
import type { Database } from '../../../platform/db/types.ts'
import type { Vault } from '../../../platform/vault/types.ts'
import type { NotificationRow, NotificationTables } from '../tables.ts'
import { toNotifications } from './content.ts'

export interface InboxQuery {
  readonly state: NotificationState
  readonly kind?: string | undefined
  readonly q: string
  readonly limit: number
  readonly cursor?: string | undefined
}

type By = ExpressionBuilder<NotificationTables, 'notifications'>

/** So many are opened for one question that has words. */
const mostOpened = 2000
const sliceRows = 200

export type InboxStore = ReturnType<typeof createInboxStore>

export const createInboxStore = ({ database, vault }: { database: Database; vault: Pick<Vault, 'keyring'> }) => {
  const tables = database.tables<NotificationTables>()

  const slice = (
    accountId: string,
    { state, kind }: Pick<InboxQuery, 'state' | 'kind'>,
    now: number,
    after: CursorKey | null,
    limit: number,
  ): Promise<NotificationRow[]> =>
    tables
      .selectFrom('notifications')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('content', 'is not', null)
      .where('hidden', '=', 0)
      .where(isIn(state, now))
      .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? ''))
      .$if(after !== null, (query) =>
        query.where((by) => by(by.refTuple('sorted_at', 'id'), '<', by.tuple(after?.time ?? 0, after?.id ?? ''))),
      )
      .orderBy('sorted_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()

  /** Opens one slice after the other until a page is full, so that words that are nowhere cost a bounded time. */
  const search = async (accountId: string, query: InboxQuery, now: number) => {
    const keyring = await vault.keyring(accountId)
    const wanted = plain(query.q).split(' ')
    const items: Notification[] = []
    let place = query.cursor === undefined ? null : decodeCursor(query.cursor)
    for (let opened = 0; opened < mostOpened; opened += sliceRows) {
      const rows = await slice(accountId, query, now, place, sliceRows)
      for (const row of rows) {
        if (items.length === query.limit) return { items, nextCursor: place && encodeCursor(place) }
        place = placeOf(row)
        items.push(...toNotifications([row], keyring).filter((one) => holds(one, wanted)))
      }
      if (rows.length < sliceRows) return { items, nextCursor: null }
    }
    return { items, nextCursor: place && encodeCursor(place) }
  }

  /** false: the account has no such notification. */
  const change = async (accountId: string, id: string, values: Partial<NotificationRow>): Promise<boolean> => {
    if (Object.keys(values).length === 0) return true
    const rows = await tables
      .updateTable('notifications')
      .set(values)
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .where('content', 'is not', null)
      .returning('id')
      .execute()
    return rows.length > 0
  }

  return {
    /** Refuses with `bad_cursor`. */
    async page(accountId: string, query: InboxQuery, now: number) {
      if (query.q !== '') return await search(accountId, query, now)
      const after = query.cursor === undefined ? null : decodeCursor(query.cursor)
      const rows = await slice(accountId, query, now, after, query.limit + 1)
      const { items, nextCursor } = cutPage(rows, query.limit, placeOf)
      return { items: toNotifications(items, await vault.keyring(accountId)), nextCursor }
    },

    async read(accountId: string, id: string): Promise<Notification | null> {
      const row = await tables
        .selectFrom('notifications')
        .selectAll()
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where('content', 'is not', null)
        .executeTakeFirst()
      return row ? (toNotifications([row], await vault.keyring(accountId))[0] ?? null) : null
    },

    /** Whether its account keeps it out of the inbox. */
    async isHidden(accountId: string, id: string): Promise<boolean> {
      const row = await tables
        .selectFrom('notifications')
        .select('hidden')
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return row?.hidden === 1
    },

    /** Those of these that are neither read nor put off, newest first; hidden ones too. */
    async unreadAmong(accountId: string, ids: readonly string[], now: number): Promise<Notification[]> {
      if (ids.length === 0) return []
      const rows = await tables
        .selectFrom('notifications')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('id', 'in', ids)
        .where('content', 'is not', null)
        .where(isIn('unread', now))
        .orderBy('sorted_at', 'desc')
        .orderBy('id', 'desc')
        .execute()
      return toNotifications(rows, await vault.keyring(accountId))
    },

    /** Up to `mostCounted`. */
    async countUnread(accountId: string, now: number): Promise<number> {
      const unread = tables
        .selectFrom('notifications')
        .select('id')
        .where('account_id', '=', accountId)
        .where('content', 'is not', null)
        .where('hidden', '=', 0)
        .where(isIn('unread', now))
        .limit(mostCounted)
      const { rows } = await sql<{ count: number }>`select count(*) as count from (${unread}) as u`.execute(tables)
      return Number(rows[0]?.count ?? 0)
    },

    /** When the next snoozed one comes back. */
    async nextWake(accountId: string, now: number): Promise<number | null> {
      const row = await tables
        .selectFrom('notifications')
        .select((by) => by.fn.min('snoozed_until').as('next'))
        .where('account_id', '=', accountId)
        .where('snoozed_until', '>', now)
        .where('content', 'is not', null)
        .executeTakeFirst()
      return row?.next === null || row?.next === undefined ? null : Number(row.next)
    },

    change,

    /** false: the account has no such notification. Its row stays without content, so that its source brings it not back. */
    remove: (accountId: string, id: string): Promise<boolean> =>
      change(accountId, id, { content: null, snoozed_until: null }),

    /** Comes back from being snoozed, at the place where it was. */
    async endSnooze(accountId: string, id: string): Promise<void> {
      await tables
        .updateTable('notifications')
        .set((by) => ({ snoozed_until: null, sorted_at: by.ref('happened_at') }))
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where('snoozed_until', 'is not', null)
        .execute()
    },

    /** Marks all that are in the inbox, at this time. Gives how many. */
    async markAll(accountId: string, mark: 'read' | 'done', kind: string | undefined, now: number): Promise<number> {
      const rows = await tables
        .updateTable('notifications')
        .set((by) =>
          mark === 'read' ? { read_at: now } : { done_at: now, read_at: by.fn.coalesce('read_at', by.val(now)) },
        )
        .where('account_id', '=', accountId)
        .where('content', 'is not', null)
        .where('hidden', '=', 0)
        .where(isIn(mark === 'read' ? 'unread' : 'inbox', now))
        .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? ''))
        .returning('id')
        .execute()
      return rows.length
    },

    /** Takes back what `markAll` did at a time. Gives how many. */
    async undoAll(accountId: string, at: number): Promise<number> {
      const rows = await tables
        .updateTable('notifications')
        .set({
          read_at: sql`case when read_at = ${at} then null else read_at end`,
          done_at: sql`case when done_at = ${at} then null else done_at end`,
        })
        .where('account_id', '=', accountId)
        .where((by) => by.or([by('read_at', '=', at), by('done_at', '=', at)]))
        .returning('id')
        .execute()
      return rows.length
    },

    /** All there is of an account, newest first, with what is done and snoozed. */
    async *all(accountId: string): AsyncIterable<Notification[]> {
      const keyring = await vault.keyring(accountId)
      for (let after: CursorKey | null = null; ; ) {
        const rows = await tables
          .selectFrom('notifications')
          .selectAll()
          .where('account_id', '=', accountId)
          .where('content', 'is not', null)
          .$if(after !== null, (query) =>
            query.where((by) => by(by.refTuple('sorted_at', 'id'), '<', by.tuple(after?.time ?? 0, after?.id ?? ''))),
          )
          .orderBy('sorted_at', 'desc')
          .orderBy('id', 'desc')
          .limit(sliceRows)
          .execute()
        yield toNotifications(rows, keyring)
        const last = rows.at(-1)
        if (!last || rows.length < sliceRows) return
        after = placeOf(last)
      }
    },

    async removeAccount(accountId: string): Promise<void> {
      await tables.deleteFrom('notifications').where('account_id', '=', accountId).execute()
    },
  }
}

const isIn =
  (state: NotificationState, now: number) =>
  (by: By): ReturnType<By['and']> => {
    if (state === 'done') return by.and([by('done_at', 'is not', null)])
    if (state === 'snoozed') return by.and([by('done_at', 'is', null), by('snoozed_until', '>', now)])
    return by.and([
      by('done_at', 'is', null),
      by.or([by('snoozed_until', 'is', null), by('snoozed_until', '<=', now)]),
      ...(state === 'unread' ? [by('read_at', 'is', null)] : []),
    ])
  }

const placeOf = ({ sorted_at, id }: NotificationRow): CursorKey => ({ time: sorted_at, id })

const plain = (text: string): string => text.normalize('NFKC').toLocaleLowerCase('und').replace(/\s+/gu, ' ').trim()
const holds = (notification: Notification, wanted: readonly string[]): boolean => {
  const text = plain(Object.values(wordsOf(notification)).join(' '))
  return wanted.every((word) => text.includes(word))
}

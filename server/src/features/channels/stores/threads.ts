/** SQL of the threads that people follow, and how far each has read them. A row: the account follows the thread. */
import { type RawBuilder, sql } from 'kysely'
import { mostUnread } from '@atrium/contract/channels'
import { decodeCursor, encodeCursor } from '../../../platform/db/cursor.ts'
import type { Database } from '../../../platform/db/types.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { ThreadReadRow } from '../own-tables.ts'
import type { ChannelTables, MessageRow } from '../tables.ts'
import type { ChannelTransaction } from './channels.ts'

/** A thread that somebody follows: its first message, what they have read, and how many replies of others they have not. */
export type FollowedRow = MessageRow & { readonly read_seq: number; readonly unread: number }

export type ThreadStore = ReturnType<typeof createThreadStore>

export const createThreadStore = (database: Database) => {
  const tables = database.tables<ChannelTables>()

  /** Those that are threads by now, in channels the account is in, begun by what it may read, and not turned off. */
  const followed = (accountId: string): RawBuilder<unknown> => sql`channel_thread_reads as t
    join channel_messages as root on root.id = t.root_id and root.reply_count > 0
    join channel_members as m on m.channel_id = t.channel_id and m.account_id = t.account_id
    join channels as c on c.id = t.channel_id and c.deleted_at is null
    left join channel_preferences as p
      on p.account_id = t.account_id and p.channel_id = t.channel_id and p.root_id = t.root_id
    where t.account_id = ${accountId} and (p.level is null or p.level <> 'nothing')
      and (c.history <> 'since-joining' or m.from_event = 0 or root.seq > m.from_seq)`
  const unreadReplies = (accountId: string): RawBuilder<unknown> => sql`select 1 from channel_messages as x
    where x.parent_id = t.root_id and x.seq > t.read_seq and x.deleted_at is null
      and (x.author_id is null or x.author_id <> ${accountId})`

  return {
    /** Those with something unread first, then by the time of the last reply. Refuses with `bad_cursor`. */
    async page(accountId: string, limit: number, cursor: string | undefined) {
      const after = cursor === undefined ? null : placeIn(cursor)
      const behind = after
        ? sql`where news < ${after.news} or (news = ${after.news} and (last_reply_at < ${after.time}
            or (last_reply_at = ${after.time} and id < ${after.id})))`
        : sql``
      const order = sql`order by news desc, last_reply_at desc, id desc`
      // What is unread is counted for the page alone.
      const { rows } = await sql<FollowedRow & { news: number }>`select t.*,
          (select count(*) from (${unreadReplies(accountId)} limit ${sql.lit(mostUnread)}) as u) as unread
        from (select * from (select root.*, t.root_id, t.read_seq,
            case when exists (${unreadReplies(accountId)}) then 1 else 0 end as news
          from ${followed(accountId)}) as threads ${behind} ${order} limit ${limit + 1}) as t ${order}`.execute(tables)
      const items = rows.slice(0, limit).map((row) => Object.assign(row, { unread: Number(row.unread) }))
      const last = rows[limit - 1]
      const nextCursor =
        rows.length > limit && last
          ? encodeCursor({ time: last.last_reply_at ?? 0, id: `${Number(last.news)}:${last.id}` })
          : null
      return { items, nextCursor }
    },

    /** In how many there is something unread; at most `mostUnread`. */
    async countUnread(accountId: string): Promise<number> {
      const { rows } = await sql<{ count: number }>`select count(*) as count from (select 1 from ${followed(accountId)}
        and exists (${unreadReplies(accountId)}) limit ${sql.lit(mostUnread)}) as u`.execute(tables)
      return Number(rows[0]?.count ?? 0)
    },

    /** What an account has not read of a thread that it follows; null: it follows none. */
    async read(accountId: string, rootId: string): Promise<Pick<FollowedRow, 'read_seq' | 'unread'> | null> {
      const { rows } = await sql<{ read_seq: number; unread: number }>`select t.read_seq,
          (select count(*) from (${unreadReplies(accountId)} limit ${sql.lit(mostUnread)}) as u) as unread
        from channel_thread_reads as t where t.account_id = ${accountId} and t.root_id = ${rootId}`.execute(tables)
      const [row] = rows
      return row ? { read_seq: row.read_seq, unread: Number(row.unread) } : null
    },

    /** The newest replies of a thread, from behind one number up to another. */
    async repliesBetween(rootId: string, after: number, upTo: number, limit: number): Promise<string[]> {
      const rows = await tables
        .selectFrom('channel_messages')
        .select('id')
        .where('parent_id', '=', rootId)
        .where('seq', '>', after)
        .where('seq', '<=', upTo)
        .orderBy('seq', 'desc')
        .limit(limit)
        .execute()
      return rows.map(({ id }) => id)
    },

    /** Has accounts follow a thread, having read it up to a number; who follows it already keeps their place. */
    async follow(trx: ChannelTransaction, rows: readonly ThreadReadRow[]): Promise<void> {
      if (rows.length === 0) return
      // PostgreSQL does not count a conflict that changes nothing as a read: whoever chooses at the same time not to follow
      // would remove the row, and neither would be told of the other. It does count this one.
      const there = await trx
        .selectFrom('channel_thread_reads')
        .select(['account_id', 'root_id'])
        .where('root_id', 'in', [...new Set(rows.map(({ root_id }) => root_id))])
        .where('account_id', 'in', [...new Set(rows.map(({ account_id }) => account_id))])
        .execute()
      const missing = rows.filter(
        (row) => !there.some(({ account_id, root_id }) => account_id === row.account_id && root_id === row.root_id),
      )
      if (missing.length === 0) return
      await trx
        .insertInto('channel_thread_reads')
        .values(missing)
        .onConflict((conflict) => conflict.columns(['account_id', 'root_id']).doNothing())
        .execute()
    },

    /** What somebody says is read by them, where they had read all that stands before. */
    async followOwn(trx: ChannelTransaction, accountId: string, rootId: string, seq: number): Promise<void> {
      await sql`update channel_thread_reads set read_seq = ${seq}
        where account_id = ${accountId} and root_id = ${rootId} and read_seq < ${seq}
          and not exists (select 1 from channel_messages as x where x.parent_id = ${rootId} and x.deleted_at is null
            and x.seq > channel_thread_reads.read_seq and x.seq < ${seq}
            and (x.author_id is null or x.author_id <> ${accountId}))`.execute(trx)
    },

    /** Has those follow a thread whom its first message is by, or names, and who are in the channel. */
    async followRoot(trx: ChannelTransaction, rootId: string): Promise<void> {
      await sql`insert into channel_thread_reads (account_id, channel_id, root_id, read_seq)
        select m.account_id, root.channel_id, root.id, root.seq from channel_messages as root
        join channel_members as m on m.channel_id = root.channel_id
        where root.id = ${rootId} and (m.account_id = root.author_id or m.account_id in (
          select x.account_id from channel_mentions as x where x.message_id = root.id and x.via = ''))
          and not exists (select 1 from channel_thread_reads as t
            where t.account_id = m.account_id and t.root_id = root.id)
        on conflict (account_id, root_id) do nothing`.execute(trx)
    },

    /** Moves a place forward; nothing where the account does not follow the thread. */
    async moveForward(trx: ChannelTransaction, accountId: string, rootId: string, seq: number): Promise<void> {
      await trx
        .updateTable('channel_thread_reads')
        .set({ read_seq: seq })
        .where('account_id', '=', accountId)
        .where('root_id', '=', rootId)
        .where('read_seq', '<', seq)
        .execute()
    },

    /** Puts a place, forward or back; the account follows the thread then. */
    async moveTo(trx: ChannelTransaction, row: ThreadReadRow): Promise<void> {
      await trx
        .insertInto('channel_thread_reads')
        .values(row)
        .onConflict((conflict) => conflict.columns(['account_id', 'root_id']).doUpdateSet({ read_seq: row.read_seq }))
        .execute()
    },

    /** Has somebody follow a thread no more who neither wrote in it nor is named there. */
    async unfollowChosen(trx: ChannelTransaction, accountId: string, rootId: string): Promise<void> {
      await sql`delete from channel_thread_reads where account_id = ${accountId} and root_id = ${rootId}
        and not exists (select 1 from channel_messages as x where (x.id = ${rootId} or x.parent_id = ${rootId})
          and x.deleted_at is null and (x.author_id = ${accountId} or exists (select 1 from channel_mentions as n
            where n.message_id = x.id and n.account_id = ${accountId} and n.via = '')))`.execute(trx)
    },

    /** All that an account follows in the channels that it is in. */
    listOf: (accountId: string): Promise<ThreadReadRow[]> =>
      tables
        .selectFrom('channel_thread_reads as t')
        .innerJoin('channel_members as m', (join) =>
          join.onRef('m.channel_id', '=', 't.channel_id').onRef('m.account_id', '=', 't.account_id'),
        )
        .selectAll('t')
        .where('t.account_id', '=', accountId)
        .orderBy('t.channel_id')
        .orderBy('t.root_id')
        .execute(),

    /** Forgets all that an account follows. */
    async forget(accountId: string): Promise<void> {
      await tables.deleteFrom('channel_thread_reads').where('account_id', '=', accountId).execute()
    },
  }
}

/** Refuses with `bad_cursor`. */
const placeIn = (cursor: string): { readonly news: number; readonly time: number; readonly id: string } => {
  const { time, id } = decodeCursor(cursor)
  if (!/^[01]:/.test(id)) throw fail('bad_cursor')
  return { news: Number(id[0]), time, id: id.slice(2) }
}

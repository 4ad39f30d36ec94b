/** SQL of what somebody has not read in a channel, replies in threads included. */
import { sql } from 'kysely'
import type { Database } from '../../../platform/db/types.ts'
import { everybody } from '../rules.ts'
import type { ChannelTables, MessageRow } from '../tables.ts'

/** Messages of others after a number; replies to what lies before `floor` only where they stand in the channel. */
export interface UnreadStretch {
  readonly channelId: string
  readonly accountId: string
  readonly after: number
  readonly floor: number
}

export const createUnreadStore = (database: Database) => {
  const tables = database.tables<ChannelTables>()
  const unread = ({ channelId, accountId, after, floor }: UnreadStretch) =>
    tables
      .selectFrom('channel_messages as m')
      .leftJoin('channel_messages as root', 'root.id', 'm.parent_id')
      .where('m.channel_id', '=', channelId)
      .where('m.seq', '>', Math.max(after, floor))
      .where('m.deleted_at', 'is', null)
      .where((by) => by.or([by('m.author_id', 'is', null), by('m.author_id', '<>', accountId)]))
      .where((by) => by.or([by('m.shown', '=', 1), by('root.seq', '>', floor)]))

  return {
    /** The latest ones, the newest first. */
    latest: (stretch: UnreadStretch, limit: number): Promise<MessageRow[]> =>
      unread(stretch).selectAll('m').orderBy('m.seq', 'desc').limit(limit).execute(),

    /** The first ones that name the account, or call it. */
    mentions: (stretch: UnreadStretch, limit: number): Promise<MessageRow[]> =>
      unread(stretch)
        .innerJoin('channel_mentions as x', (join) =>
          join.onRef('x.message_id', '=', 'm.id').on('x.account_id', 'in', [stretch.accountId, everybody]),
        )
        .selectAll('m')
        .distinct()
        .orderBy('m.seq')
        .limit(limit)
        .execute(),

    /** The threads with most of them that can be opened, by the id of the first message. */
    async longestThreads(
      stretch: UnreadStretch,
      limit: number,
    ): Promise<{ readonly rootId: string; readonly count: number }[]> {
      const rows = await unread(stretch)
        .where('root.seq', '>', stretch.floor)
        .select(['m.parent_id as rootId', (by) => by.fn.countAll<number>().as('count')])
        .groupBy('m.parent_id')
        .orderBy(sql`count(*)`, 'desc')
        .orderBy('m.parent_id')
        .limit(limit)
        .execute()
      return rows.flatMap(({ rootId, count }) => (rootId === null ? [] : [{ rootId, count: Number(count) }]))
    },
  }
}

/** SQL of what members may read of what was said before they came: in channels whose history is for those who were there. */
import type { Database } from '../../../platform/db/types.ts'
import type { ChannelTables } from '../tables.ts'

/** What lies before somebody came. */
export interface HistoryFloor {
  /** Messages up to this number. */
  readonly seq: number
  /** Events of the channel up to this place. */
  readonly event: number
}

export const createHistoryStore = (database: Database) => {
  const limited = () =>
    database
      .tables<ChannelTables>()
      .selectFrom('channel_members as m')
      .innerJoin('channels as c', 'c.id', 'm.channel_id')
      .where('c.history', '=', 'since-joining')
      .where('m.from_event', '>', 0)

  return {
    /** The number of the last message of a channel that an account may not read; 0: it may read all. */
    async floorOf(channelId: string, accountId: string): Promise<number> {
      const row = await limited()
        .select('m.from_seq')
        .where('m.channel_id', '=', channelId)
        .where('m.account_id', '=', accountId)
        .executeTakeFirst()
      return row?.from_seq ?? 0
    },

    /** Of all channels of an account in which it may not read everything, by channel. */
    async floorsOf(accountId: string): Promise<ReadonlyMap<string, HistoryFloor>> {
      const rows = await limited()
        .select(['m.channel_id', 'm.from_seq', 'm.from_event'])
        .where('m.account_id', '=', accountId)
        .execute()
      return new Map(rows.map(({ channel_id, from_seq: seq, from_event: event }) => [channel_id, { seq, event }]))
    },

    /** Those of some members to whom a message of this number was said before they came, and who may not read it. */
    async shutOut(channelId: string, accountIds: readonly string[], seq: number): Promise<string[]> {
      if (accountIds.length === 0) return []
      const rows = await limited()
        .select('m.account_id')
        .where('m.channel_id', '=', channelId)
        .where('m.account_id', 'in', accountIds)
        .where('m.from_seq', '>=', seq)
        .execute()
      return rows.map(({ account_id: id }) => id)
    },

    /** The number after which every member may read a channel. */
    async commonFloor(channelId: string): Promise<number> {
      const row = await limited()
        .select((by) => by.fn.max('m.from_seq').as('seq'))
        .where('m.channel_id', '=', channelId)
        .executeTakeFirst()
      return Number(row?.seq ?? 0)
    },
  }
}

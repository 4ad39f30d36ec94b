/** SQL of what people want to be told of in channels and threads. No row: as usual. */
import type { Database } from '../../../platform/db/types.ts'
import type { PreferenceRow } from '../own-tables.ts'
import type { ChannelTables } from '../tables.ts'

/** Stands for the channel itself among its threads. */
export const ofChannel = ''

export type PreferenceStore = ReturnType<typeof createPreferenceStore>

export const createPreferenceStore = (database: Database) => {
  const tables = database.tables<ChannelTables>()

  return {
    /** What an account chose in these channels, threads left out; by channel. */
    async ofChannels(accountId: string, channelIds: readonly string[]): Promise<Map<string, PreferenceRow>> {
      if (channelIds.length === 0) return new Map()
      const rows = await tables
        .selectFrom('channel_preferences')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('channel_id', 'in', channelIds)
        .where('root_id', '=', ofChannel)
        .execute()
      return new Map(rows.map((row) => [row.channel_id, row]))
    },

    /** All that an account chose in the channels that it is in. */
    listOf: (accountId: string): Promise<PreferenceRow[]> =>
      tables
        .selectFrom('channel_preferences as p')
        .innerJoin('channel_members as m', (join) =>
          join.onRef('m.channel_id', '=', 'p.channel_id').onRef('m.account_id', '=', 'p.account_id'),
        )
        .selectAll('p')
        .where('p.account_id', '=', accountId)
        .orderBy('p.channel_id')
        .orderBy('p.root_id')
        .execute(),

    async find(accountId: string, channelId: string, rootId: string): Promise<PreferenceRow | null> {
      const row = await tables
        .selectFrom('channel_preferences')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('channel_id', '=', channelId)
        .where('root_id', '=', rootId)
        .executeTakeFirst()
      return row ?? null
    },

    /** What these accounts chose for a channel and for one thread of it. */
    async ofPeople(
      channelId: string,
      rootId: string | null,
      accountIds: readonly string[],
    ): Promise<readonly PreferenceRow[]> {
      if (accountIds.length === 0) return []
      return await tables
        .selectFrom('channel_preferences')
        .selectAll()
        .where('channel_id', '=', channelId)
        .where('root_id', 'in', rootId === null ? [ofChannel] : [ofChannel, rootId])
        .where('account_id', 'in', accountIds)
        .execute()
    },

    /** Who wants to be told of everything in a channel, or in one thread of it; so many at most. */
    async whoHearsAll(channelId: string, rootId: string, limit: number): Promise<string[]> {
      const rows = await tables
        .selectFrom('channel_preferences')
        .select('account_id')
        .where('channel_id', '=', channelId)
        .where('root_id', '=', rootId)
        .where('level', '=', 'all')
        .orderBy('account_id')
        .limit(limit)
        .execute()
      return rows.map(({ account_id: id }) => id)
    },

    /** Changes what somebody chose; what is left out stays. Gives it as it is then. */
    change: (
      place: Pick<PreferenceRow, 'account_id' | 'channel_id' | 'root_id'>,
      values: Partial<Pick<PreferenceRow, 'level' | 'muted_until'>>,
    ): Promise<PreferenceRow> =>
      database.write<ChannelTables, PreferenceRow>(async (trx) => {
        const there = await trx
          .selectFrom('channel_preferences')
          .selectAll()
          .where('account_id', '=', place.account_id)
          .where('channel_id', '=', place.channel_id)
          .where('root_id', '=', place.root_id)
          .executeTakeFirst()
        const row: PreferenceRow = Object.assign({ level: null, muted_until: null }, there, place, values)
        const { level, muted_until } = row
        await trx
          .insertInto('channel_preferences')
          .values(row)
          .onConflict((conflict) =>
            conflict.columns(['account_id', 'channel_id', 'root_id']).doUpdateSet({ level, muted_until }),
          )
          .execute()
        return row
      }),

    /** Forgets all that an account chose. */
    async forget(accountId: string): Promise<void> {
      await tables.deleteFrom('channel_preferences').where('account_id', '=', accountId).execute()
    },
  }
}

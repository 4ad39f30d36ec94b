/** SQL of mentions: whom messages name, and call. */
import type { Kysely } from 'kysely'
import type { Database } from '../../../platform/db/types.ts'
import type { ChannelTables, MentionRow, MessageRow } from '../tables.ts'
import type { ChannelTransaction } from './channels.ts'

export const createMentionStore = (database: Database) => {
  const tables = database.tables<ChannelTables>()

  return {
    /** `kept`: what it called before and calls still; who was called by it stays. */
    async replace(
      trx: ChannelTransaction,
      id: string,
      mentions: readonly MentionRow[],
      kept: readonly string[],
    ): Promise<void> {
      await trx
        .deleteFrom('channel_mentions')
        .where('message_id', '=', id)
        .where('via', 'not in', ['-', ...kept])
        .execute()
      await this.add(trx, mentions)
    },

    async add(trx: ChannelTransaction, mentions: readonly MentionRow[]): Promise<void> {
      if (mentions.length === 0) return
      await trx
        .insertInto('channel_mentions')
        .values(mentions)
        .onConflict((conflict) =>
          conflict.columns(['message_id', 'account_id']).doUpdateSet((by) => ({ via: by.ref('excluded.via') })),
        )
        .execute()
    },

    /** Whom messages name; asks only for those that name somebody. */
    async ofMessages(
      rows: readonly Pick<MessageRow, 'id' | 'mention_count'>[],
      from: Kysely<ChannelTables> = tables,
    ): Promise<Map<string, MentionRow[]>> {
      const ids = rows.flatMap(({ id, mention_count: count }) => (count > 0 ? [id] : []))
      if (ids.length === 0) return new Map()
      const found = await from
        .selectFrom('channel_mentions')
        .selectAll()
        .where('message_id', 'in', ids)
        .where('via', '=', '')
        .orderBy('account_id')
        .execute()
      return Map.groupBy(found, ({ message_id: id }) => id)
    },

    /** The first message after a number that names an account, or calls it; null where there is none. */
    async next(channelId: string, accountId: string, seq: number): Promise<MessageRow | null> {
      const row = await tables
        .selectFrom('channel_mentions as x')
        .innerJoin('channel_messages as m', 'm.id', 'x.message_id')
        .selectAll('m')
        .where('x.channel_id', '=', channelId)
        .where('x.account_id', 'in', [accountId, '*'])
        .where('x.author_id', '<>', accountId)
        .where('x.seq', '>', seq)
        .where('m.deleted_at', 'is', null)
        .orderBy('x.seq')
        .limit(1)
        .executeTakeFirst()
      return row ?? null
    },

    /** All whom a message reaches by a name, and what stands for several. */
    list: (id: string): Promise<MentionRow[]> =>
      tables.selectFrom('channel_mentions').selectAll().where('message_id', '=', id).execute(),

    /** Takes an account out of whom messages name, and out of who named somebody. */
    async forget(accountId: string): Promise<void> {
      await tables.deleteFrom('channel_mentions').where('account_id', '=', accountId).execute()
      await tables.updateTable('channel_mentions').set({ author_id: '' }).where('author_id', '=', accountId).execute()
    },
  }
}

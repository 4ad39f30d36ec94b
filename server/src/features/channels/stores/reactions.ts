/** SQL of reactions. */
import type { Kysely } from 'kysely'
import type { Database } from '../../../platform/db/types.ts'
import type { ChannelTables, MessageRow, ReactionRow } from '../tables.ts'
import type { ChannelTransaction } from './channels.ts'

export const mostReactions = 200

export type ReactionStore = ReturnType<typeof createReactionStore>

export const createReactionStore = (database: Database) => {
  const tables = database.tables<ChannelTables>()

  return {
    /** Those of some messages, the first given first; asks only for messages that have some. */
    async ofMessages(
      rows: readonly Pick<MessageRow, 'id' | 'reaction_count'>[],
      from: Kysely<ChannelTables> = tables,
    ): Promise<Map<string, ReactionRow[]>> {
      const ids = rows.flatMap(({ id, reaction_count: count }) => (count > 0 ? [id] : []))
      if (ids.length === 0) return new Map()
      const found = await from
        .selectFrom('channel_reactions')
        .selectAll()
        .where('message_id', 'in', ids)
        .orderBy('created_at')
        .orderBy('account_id')
        .execute()
      return Map.groupBy(found, ({ message_id: id }) => id)
    },

    /** `there`: given already; `full`: the message has as many as it can have; `gone`: the message is deleted. */
    async add(trx: ChannelTransaction, row: ReactionRow): Promise<'added' | 'there' | 'full' | 'gone'> {
      const message = await trx
        .selectFrom('channel_messages')
        .select(['reaction_count', 'deleted_at'])
        .where('id', '=', row.message_id)
        .executeTakeFirst()
      if (!message || message.deleted_at !== null) return 'gone'
      const there = await given(trx, row)
      if (there) return 'there'
      if (message.reaction_count >= mostReactions) return 'full'
      await trx.insertInto('channel_reactions').values(row).execute()
      await count(trx, row.message_id, 1)
      return 'added'
    },

    /** false: there was none. */
    async remove(
      trx: ChannelTransaction,
      row: Pick<ReactionRow, 'message_id' | 'emoji_key' | 'account_id'>,
    ): Promise<boolean> {
      if (!(await given(trx, row))) return false
      await trx
        .deleteFrom('channel_reactions')
        .where('message_id', '=', row.message_id)
        .where('emoji_key', '=', row.emoji_key)
        .where('account_id', '=', row.account_id)
        .execute()
      await count(trx, row.message_id, -1)
      return true
    },

    /** Removes those of an account, a slice at a time; false: there was nothing left. */
    removeOf: (accountId: string, slice: number): Promise<boolean> =>
      database.write<ChannelTables, boolean>(async (trx) => {
        const rows = await trx
          .selectFrom('channel_reactions')
          .select(['message_id', 'emoji_key', 'account_id'])
          .where('account_id', '=', accountId)
          .limit(slice)
          .execute()
        for (const row of rows) {
          await trx
            .deleteFrom('channel_reactions')
            .where('message_id', '=', row.message_id)
            .where('emoji_key', '=', row.emoji_key)
            .where('account_id', '=', row.account_id)
            .execute()
          await count(trx, row.message_id, -1)
        }
        return rows.length > 0
      }),
  }
}

const given = (
  trx: ChannelTransaction,
  row: Pick<ReactionRow, 'message_id' | 'emoji_key' | 'account_id'>,
): Promise<{ message_id: string } | undefined> =>
  trx
    .selectFrom('channel_reactions')
    .select('message_id')
    .where('message_id', '=', row.message_id)
    .where('emoji_key', '=', row.emoji_key)
    .where('account_id', '=', row.account_id)
    .executeTakeFirst()

const count = async (trx: ChannelTransaction, messageId: string, by: 1 | -1): Promise<void> => {
  await trx
    .updateTable('channel_messages')
    .set((sum) => ({ reaction_count: sum('reaction_count', '+', by) }))
    .where('id', '=', messageId)
    .execute()
}

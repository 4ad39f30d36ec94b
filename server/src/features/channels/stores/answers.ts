/** SQL of what models answer. */
import type { Kysely } from 'kysely'
import type { Database } from '../../../platform/db/types.ts'
import type { AnswerRow, ChannelTables, MessageRow } from '../tables.ts'
import type { ChannelTransaction } from './channels.ts'

export const createAnswerStore = (database: Database) => {
  const tables = database.tables<ChannelTables>()
  return {
    async find(messageId: string): Promise<AnswerRow | null> {
      const row = await tables
        .selectFrom('channel_answers')
        .selectAll()
        .where('message_id', '=', messageId)
        .executeTakeFirst()
      return row ?? null
    },

    /** By the message; asks only for those that no person wrote. */
    async ofMessages(
      rows: readonly Pick<MessageRow, 'id' | 'author_id'>[],
      from: Kysely<ChannelTables> = tables,
    ): Promise<Map<string, AnswerRow>> {
      const ids = rows.flatMap(({ id, author_id: author }) => (author === null ? [id] : []))
      if (ids.length === 0) return new Map()
      const found = await from.selectFrom('channel_answers').selectAll().where('message_id', 'in', ids).execute()
      return new Map(found.map((row) => [row.message_id, row]))
    },

    async insert(trx: ChannelTransaction, row: AnswerRow): Promise<void> {
      await trx.insertInto('channel_answers').values(row).execute()
    },

    async end(
      trx: ChannelTransaction,
      messageId: string,
      outcome: Pick<AnswerRow, 'state' | 'failure'>,
    ): Promise<void> {
      await trx.updateTable('channel_answers').set(outcome).where('message_id', '=', messageId).execute()
    },

    /** Those of a channel that are being written: all, or what one account asked for. */
    async pendingIds(channelId: string, accountId?: string): Promise<string[]> {
      let query = tables
        .selectFrom('channel_answers')
        .select('message_id')
        .where('channel_id', '=', channelId)
        .where('state', '=', 'pending')
      if (accountId !== undefined) query = query.where('asked_by', '=', accountId)
      return (await query.execute()).map(({ message_id: id }) => id)
    },

    /** Those to a message that are being written. */
    async pendingTo(questionId: string): Promise<AnswerRow[]> {
      return await tables
        .selectFrom('channel_answers')
        .selectAll()
        .where('question_id', '=', questionId)
        .where('state', '=', 'pending')
        .execute()
    },

    /** A slice of those of a channel, whatever became of them. */
    async idsIn(channelId: string, limit: number): Promise<string[]> {
      const rows = await tables
        .selectFrom('channel_answers')
        .select('message_id')
        .where('channel_id', '=', channelId)
        .limit(limit)
        .execute()
      return rows.map(({ message_id: id }) => id)
    },

    async removeMany(messageIds: readonly string[], from: Kysely<ChannelTables> = tables): Promise<void> {
      if (messageIds.length > 0)
        await from.deleteFrom('channel_answers').where('message_id', 'in', messageIds).execute()
    },

    /** Leaves what an account asked for without its name. */
    async forgetAsker(accountId: string): Promise<void> {
      await tables.updateTable('channel_answers').set({ asked_by: null }).where('asked_by', '=', accountId).execute()
    },
  }
}

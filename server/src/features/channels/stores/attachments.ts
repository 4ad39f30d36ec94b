/** SQL of files in channels. */
import type { Kysely } from 'kysely'
import type { Database } from '../../../platform/db/types.ts'
import type { AttachmentRow, ChannelTables, MessageRow } from '../tables.ts'
import type { ChannelTransaction } from './channels.ts'

export type AttachmentStore = ReturnType<typeof createAttachmentStore>

export const createAttachmentStore = (database: Database) => {
  const tables = database.tables<ChannelTables>()

  return {
    async insert(row: AttachmentRow): Promise<void> {
      await tables.insertInto('channel_attachments').values(row).execute()
    },

    async find(id: string): Promise<AttachmentRow | null> {
      return (
        (await tables.selectFrom('channel_attachments').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
      )
    },

    /** What messages hold, in its order; asks only for those that hold something. */
    async ofMessages(
      rows: readonly Pick<MessageRow, 'id' | 'attachment_count'>[],
      from: Kysely<ChannelTables> = tables,
    ): Promise<Map<string, AttachmentRow[]>> {
      const ids = rows.flatMap(({ id, attachment_count: count }) => (count > 0 ? [id] : []))
      if (ids.length === 0) return new Map()
      const found = await from
        .selectFrom('channel_attachments')
        .selectAll()
        .where('message_id', 'in', ids)
        .orderBy('place')
        .execute()
      return Map.groupBy(found, ({ message_id: id }) => id ?? '')
    },

    /**
     * What an account has uploaded to a channel and not sent, by these ids in their order; fewer where some are not there, or
     * go with another scheduled message. `messageId`: of the one that they are for.
     */
    async unsentOf(
      trx: ChannelTransaction,
      channelId: string,
      accountId: string,
      ids: readonly string[],
      messageId: string,
    ): Promise<AttachmentRow[]> {
      if (ids.length === 0) return []
      const rows = await trx
        .selectFrom('channel_attachments')
        .selectAll()
        .where('id', 'in', ids)
        .where('channel_id', '=', channelId)
        .where('account_id', '=', accountId)
        .where('message_id', 'is', null)
        .where((by) => by.or([by('scheduled_id', 'is', null), by('scheduled_id', '=', messageId)]))
        .execute()
      const byId = new Map(rows.map((row) => [row.id, row]))
      return ids.flatMap((id) => byId.get(id) ?? [])
    },

    async assign(trx: ChannelTransaction, messageId: string, ids: readonly string[]): Promise<void> {
      for (const [place, id] of ids.entries())
        await trx
          .updateTable('channel_attachments')
          .set({ message_id: messageId, scheduled_id: null, place })
          .where('id', '=', id)
          .execute()
    },

    /** They stay until the scheduled message is sent. */
    async hold(trx: ChannelTransaction, scheduledId: string, ids: readonly string[]): Promise<void> {
      for (const [place, id] of ids.entries())
        await trx
          .updateTable('channel_attachments')
          .set({ scheduled_id: scheduledId, place })
          .where('id', '=', id)
          .execute()
    },

    /** The scheduled message is none any more: they are as if they had just been uploaded. */
    async release(trx: ChannelTransaction, scheduledId: string, now: number): Promise<void> {
      await trx
        .updateTable('channel_attachments')
        .set({ scheduled_id: null, created_at: now })
        .where('scheduled_id', '=', scheduledId)
        .execute()
    },

    /** The same for all that an account was going to send. */
    async releaseOf(trx: ChannelTransaction, accountId: string): Promise<void> {
      await trx
        .updateTable('channel_attachments')
        .set({ scheduled_id: null })
        .where('account_id', '=', accountId)
        .where('scheduled_id', 'is not', null)
        .execute()
    },

    /** What goes with scheduled messages, by these, in their order. */
    async ofScheduled(scheduledIds: readonly string[]): Promise<Map<string, AttachmentRow[]>> {
      if (scheduledIds.length === 0) return new Map()
      const rows = await tables
        .selectFrom('channel_attachments')
        .selectAll()
        .where('scheduled_id', 'in', scheduledIds)
        .orderBy('place')
        .execute()
      return Map.groupBy(rows, ({ scheduled_id: id }) => id ?? '')
    },

    /** Bytes of what an account has uploaded to channels. */
    async sizeOf(accountId: string): Promise<number> {
      const row = await tables
        .selectFrom('channel_attachments')
        .select((by) => by.fn.sum<number | null>('size_bytes').as('bytes'))
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return Number(row?.bytes ?? 0)
    },

    /** Ids of what was uploaded before a time and never sent. */
    async listUnsent(before: number, limit: number): Promise<string[]> {
      const rows = await tables
        .selectFrom('channel_attachments')
        .select('id')
        .where('message_id', 'is', null)
        .where('scheduled_id', 'is', null)
        .where('created_at', '<', before)
        .limit(limit)
        .execute()
      return rows.map(({ id }) => id)
    },

    /** Removes those of the ids that are still unsent; gives which. */
    removeUnsent: (ids: readonly string[]): Promise<string[]> =>
      database.write<ChannelTables, string[]>(async (trx) => {
        if (ids.length === 0) return []
        const rows = await trx
          .deleteFrom('channel_attachments')
          .where('id', 'in', ids)
          .where('message_id', 'is', null)
          .where('scheduled_id', 'is', null)
          .returning('id')
          .execute()
        return rows.map(({ id }) => id)
      }),

    /** Ids of what an account has uploaded and not sent. */
    async unsentIds(accountId: string): Promise<string[]> {
      const rows = await tables
        .selectFrom('channel_attachments')
        .select('id')
        .where('account_id', '=', accountId)
        .where('message_id', 'is', null)
        .execute()
      return rows.map(({ id }) => id)
    },

    /** What an account sent stays, without who sent it. */
    async forgetUploader(accountId: string): Promise<void> {
      await tables
        .updateTable('channel_attachments')
        .set({ account_id: null })
        .where('account_id', '=', accountId)
        .execute()
    },
  }
}

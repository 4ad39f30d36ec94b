/** SQL of messages that are sent later, and of reminders of messages. */
import type { Database } from '../../../platform/db/types.ts'
import type { JobInTransaction } from '../../../platform/jobs/types.ts'
import type { AttachmentStore } from './attachments.ts'
import type { ReminderRow, ScheduledRow } from '../own-tables.ts'
import type { ChannelTables } from '../tables.ts'
import type { ChannelTransaction } from './channels.ts'

/** Of one account. */
const mostReminders = 500

export type LaterStore = ReturnType<typeof createLaterStore>

export const createLaterStore = (database: Database, attachments: AttachmentStore) => {
  const tables = database.tables<ChannelTables>()

  return {
    /** Those of an account, the next one first. */
    scheduledOf: (accountId: string): Promise<ScheduledRow[]> =>
      tables
        .selectFrom('channel_scheduled')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('send_at')
        .orderBy('id')
        .execute(),

    async findScheduled(id: string): Promise<ScheduledRow | null> {
      const row = await tables.selectFrom('channel_scheduled').selectAll().where('id', '=', id).executeTakeFirst()
      return row ?? null
    },

    /**
     * With its files and the job that sends it. `there`: one of this id is there already; `full`: the account has as many as
     * it can have; `no_file`: one of the files is not there for it.
     */
    insertScheduled: (
      row: ScheduledRow,
      {
        most,
        files,
        job,
      }: { readonly most: number; readonly files: readonly string[]; readonly job: JobInTransaction },
    ): Promise<'done' | 'there' | 'full' | 'no_file'> =>
      database.write<ChannelTables, 'done' | 'there' | 'full' | 'no_file'>(async (trx) => {
        if (await trx.selectFrom('channel_scheduled').select('id').where('id', '=', row.id).executeTakeFirst())
          return 'there'
        const { count } = await trx
          .selectFrom('channel_scheduled')
          .select((by) => by.fn.countAll<number>().as('count'))
          .where('account_id', '=', row.account_id)
          .executeTakeFirstOrThrow()
        if (Number(count) >= most) return 'full'
        const held = await attachments.unsentOf(trx, row.channel_id, row.account_id, files, row.id)
        if (held.length < files.length) return 'no_file'
        await trx.insertInto('channel_scheduled').values(row).execute()
        await attachments.hold(trx, row.id, files)
        await job.write(trx)
        return 'done'
      }),

    /** Changes one that still has this version and is not being sent, and adds a job; gives it as it is then, or null. */
    changeScheduled: (
      id: string,
      version: number,
      values: Partial<ScheduledRow>,
      job?: JobInTransaction,
    ): Promise<ScheduledRow | null> =>
      database.write<ChannelTables, ScheduledRow | null>(async (trx) => {
        const row = await trx
          .updateTable('channel_scheduled')
          .set(Object.assign({ version: version + 1 }, values))
          .where('id', '=', id)
          .where('version', '=', version)
          .where('state', '<>', 'sending')
          .returningAll()
          .executeTakeFirst()
        if (row) await job?.write(trx)
        return row ?? null
      }),

    /** It was sent. */
    async endScheduled(id: string): Promise<void> {
      await tables.deleteFrom('channel_scheduled').where('id', '=', id).execute()
    },

    /** It could not be sent, and stays with its reason; false: somebody said so already. */
    async failScheduled(trx: ChannelTransaction, id: string, failure: string): Promise<boolean> {
      const { numUpdatedRows } = await trx
        .updateTable('channel_scheduled')
        .set((by) => ({ state: 'failed' as const, failure, version: by('version', '+', 1) }))
        .where('id', '=', id)
        .where('state', '=', 'sending')
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    /** false: it is being sent, or gone. Its files can go with another one for a while. */
    removeScheduled: (id: string, now: number): Promise<boolean> =>
      database.write<ChannelTables, boolean>(async (trx) => {
        const { numDeletedRows } = await trx
          .deleteFrom('channel_scheduled')
          .where('id', '=', id)
          .where('state', '<>', 'sending')
          .executeTakeFirstOrThrow()
        if (numDeletedRows > 0n) await attachments.release(trx, id, now)
        return numDeletedRows > 0n
      }),

    /** Those of an account, the next one first. */
    remindersOf: (accountId: string): Promise<ReminderRow[]> =>
      tables
        .selectFrom('channel_reminders')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('remind_at')
        .orderBy('message_id')
        .limit(mostReminders)
        .execute(),

    /** With the job that reminds. false: the account has as many as it can have. */
    putReminder: (row: ReminderRow, job: JobInTransaction): Promise<boolean> =>
      database.write<ChannelTables, boolean>(async (trx) => {
        const { count } = await trx
          .selectFrom('channel_reminders')
          .select((by) => by.fn.countAll<number>().as('count'))
          .where('account_id', '=', row.account_id)
          .where('message_id', '<>', row.message_id)
          .executeTakeFirstOrThrow()
        if (Number(count) >= mostReminders) return false
        const { remind_at } = row
        await trx
          .insertInto('channel_reminders')
          .values(row)
          .onConflict((conflict) => conflict.columns(['account_id', 'message_id']).doUpdateSet({ remind_at }))
          .execute()
        await job.write(trx)
        return true
      }),

    /** When an account is reminded of a message; null: it is not. */
    async remindsAt(accountId: string, messageId: string): Promise<number | null> {
      const row = await tables
        .selectFrom('channel_reminders')
        .select('remind_at')
        .where('account_id', '=', accountId)
        .where('message_id', '=', messageId)
        .executeTakeFirst()
      return row?.remind_at ?? null
    },

    /** Takes one that is due; false: it was taken already, or moved. */
    async takeReminder(trx: ChannelTransaction, accountId: string, messageId: string, now: number): Promise<boolean> {
      const { numDeletedRows } = await trx
        .deleteFrom('channel_reminders')
        .where('account_id', '=', accountId)
        .where('message_id', '=', messageId)
        .where('remind_at', '<=', now)
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },

    async removeReminder(accountId: string, messageId: string): Promise<void> {
      await tables
        .deleteFrom('channel_reminders')
        .where('account_id', '=', accountId)
        .where('message_id', '=', messageId)
        .execute()
    },

    /** The files that were to go with scheduled messages are as if they were unsent. */
    removeOf: (accountId: string): Promise<void> =>
      database.write<ChannelTables, void>(async (trx) => {
        for (const table of ['channel_scheduled', 'channel_reminders'] as const)
          await trx.deleteFrom(table).where('account_id', '=', accountId).execute()
        await attachments.releaseOf(trx, accountId)
      }),
  }
}

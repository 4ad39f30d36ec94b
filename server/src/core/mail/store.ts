/** Every SQL statement about letters that wait to be sent. */
import type { Database } from '../../platform/db/types.ts'
import type { MailLetterRow, MailTables } from './tables.ts'

export const createMailStore = (database: Database) => {
  const tables = () => database.tables<MailTables>()
  return {
    find: (id: string): Promise<MailLetterRow | undefined> =>
      tables().selectFrom('mail_letters').selectAll().where('id', '=', id).executeTakeFirst(),

    /** Keeps a letter; those from before a time (milliseconds) go, as no job took them. */
    insert: (row: MailLetterRow, before: number): Promise<void> =>
      database.write<MailTables, void>(async (trx) => {
        await trx.deleteFrom('mail_letters').where('created_at', '<', before).execute()
        await trx.insertInto('mail_letters').values(row).execute()
      }),

    /** Those that wait to be sent. */
    async count(): Promise<number> {
      const { count } = await tables()
        .selectFrom('mail_letters')
        .select((by) => by.fn.countAll<number>().as('count'))
        .where('refused_at', 'is', null)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    /** It is tried no more by itself. */
    async markRefused(id: string, at: number): Promise<void> {
      await tables().updateTable('mail_letters').set({ refused_at: at }).where('id', '=', id).execute()
    },

    async drop(id: string): Promise<void> {
      await tables().deleteFrom('mail_letters').where('id', '=', id).execute()
    },
  }
}

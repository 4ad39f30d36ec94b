/** SQL of what people typed and did not send. */
import type { Database } from '../../../platform/db/types.ts'
import type { DraftRow } from '../own-tables.ts'
import type { ChannelTables } from '../tables.ts'

/** So many of an account are kept, the latest ones. */
const mostDrafts = 500

type Place = Pick<DraftRow, 'account_id' | 'channel_id' | 'root_id'>

export type DraftStore = ReturnType<typeof createDraftStore>

export const createDraftStore = (database: Database) => {
  const tables = database.tables<ChannelTables>()

  return {
    /** Those of an account, the latest first. */
    listOf: (accountId: string): Promise<DraftRow[]> =>
      tables
        .selectFrom('channel_drafts')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('updated_at', 'desc')
        .limit(mostDrafts)
        .execute(),

    /** Keeps a text in the place of the one before, or removes it (null). Gives when, later than the one before. */
    save: ({ account_id, channel_id, root_id }: Place, content: Uint8Array | null, now: number): Promise<number> =>
      database.write<ChannelTables, number>(async (trx) => {
        const newest = await trx
          .selectFrom('channel_drafts')
          .select('updated_at')
          .where('account_id', '=', account_id)
          .orderBy('updated_at', 'desc')
          .limit(1)
          .executeTakeFirst()
        const updated_at = Math.max(now, (newest?.updated_at ?? 0) + 1)
        if (content === null) {
          await trx
            .deleteFrom('channel_drafts')
            .where('account_id', '=', account_id)
            .where('channel_id', '=', channel_id)
            .where('root_id', '=', root_id)
            .execute()
          return updated_at
        }
        await trx
          .insertInto('channel_drafts')
          .values({ account_id, channel_id, root_id, content, updated_at })
          .onConflict((conflict) =>
            conflict.columns(['account_id', 'channel_id', 'root_id']).doUpdateSet({ content, updated_at }),
          )
          .execute()
        const last = await trx
          .selectFrom('channel_drafts')
          .select('updated_at')
          .where('account_id', '=', account_id)
          .orderBy('updated_at', 'desc')
          .offset(mostDrafts - 1)
          .limit(1)
          .executeTakeFirst()
        if (last)
          await trx
            .deleteFrom('channel_drafts')
            .where('account_id', '=', account_id)
            .where('updated_at', '<', last.updated_at)
            .execute()
        return updated_at
      }),

    async removeOf(accountId: string): Promise<void> {
      await tables.deleteFrom('channel_drafts').where('account_id', '=', accountId).execute()
    },
  }
}

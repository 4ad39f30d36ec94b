/** SQL of who has to do with whom. */
import type { Database } from '../../../platform/db/types.ts'
import type { ChannelTables } from '../tables.ts'

const slice = 500

export const createAcquaintanceStore = (database: Database) => ({
  /** Those of some accounts that are in a channel with an account. */
  async among(accountId: string, others: readonly string[]): Promise<ReadonlySet<string>> {
    const found = new Set<string>()
    for (let at = 0; at < others.length; at += slice) {
      const rows = await database
        .tables<ChannelTables>()
        .selectFrom('channel_members as own')
        .innerJoin('channels as c', 'c.id', 'own.channel_id')
        .innerJoin('channel_members as other', 'other.channel_id', 'own.channel_id')
        .select('other.account_id')
        .distinct()
        .where('own.account_id', '=', accountId)
        .where('other.account_id', 'in', others.slice(at, at + slice))
        .where('c.deleted_at', 'is', null)
        .execute()
      for (const { account_id: id } of rows) found.add(id)
    }
    return found
  },
})

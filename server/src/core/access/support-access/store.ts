/** Every SQL statement about support access. */
import type { ExpressionBuilder } from 'kysely'
import { cutPage, decodeCursor } from '../../../platform/db/cursor.ts'
import type { AnyTransaction, Database } from '../../../platform/db/types.ts'
import type { AccessTables, SupportAccessRow, SupportAccessUseRow } from '../tables.ts'

export type SupportAccessStore = ReturnType<typeof createSupportAccessStore>

type Record = (trx: AnyTransaction) => Promise<void>

export const createSupportAccessStore = (database: Database) => {
  const tables = () => database.tables<AccessTables>()

  return {
    /** false: this administrator has active support access to this account already. */
    add: (row: SupportAccessRow, record: Record): Promise<boolean> =>
      database.write<AccessTables, boolean>(async (trx) => {
        const open = await trx
          .selectFrom('break_glass')
          .select('id')
          .where('admin_id', '=', row.admin_id)
          .where('account_id', '=', row.account_id)
          .where(holds(row.created_at))
          .executeTakeFirst()
        if (open) return false
        await trx.insertInto('break_glass').values(row).execute()
        await record(trx)
        return true
      }, 'audit'),

    async find(id: string): Promise<SupportAccessRow | null> {
      return (await tables().selectFrom('break_glass').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
    },

    /** The active support access of an administrator to an account. */
    async findActive(adminId: string, accountId: string, now: number): Promise<SupportAccessRow | null> {
      const row = await tables()
        .selectFrom('break_glass')
        .selectAll()
        .where('admin_id', '=', adminId)
        .where('account_id', '=', accountId)
        .where(holds(now))
        .executeTakeFirst()
      return row ?? null
    },

    /** Newest first; of one account, or of all. Refuses with `bad_cursor`. */
    async page(accountId: string | null, limit: number, cursor: string | undefined) {
      let query = tables()
        .selectFrom('break_glass')
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit + 1)
      if (accountId !== null) query = query.where('account_id', '=', accountId)
      if (cursor !== undefined) {
        const { time, id } = decodeCursor(cursor)
        query = query.where((by) =>
          by.or([by('created_at', '<', time), by.and([by('created_at', '=', time), by('id', '<', id)])]),
        )
      }
      return cutPage(await query.execute(), limit, (row) => ({ time: row.created_at, id: row.id }))
    },

    /** false: it is over already. */
    end: (id: string, by: string, now: number, record: Record): Promise<boolean> =>
      database.write<AccessTables, boolean>(async (trx) => {
        const ended = await trx
          .updateTable('break_glass')
          .set({ ended_at: now, ended_by: by })
          .where('id', '=', id)
          .where(holds(now))
          .returning('id')
          .execute()
        if (ended.length > 0) await record(trx)
        return ended.length > 0
      }, 'audit'),

    /** false: it is not about this account. */
    async markSeen(id: string, accountId: string, now: number): Promise<boolean> {
      const seen = await tables()
        .updateTable('break_glass')
        .set((by) => ({ seen_at: by.fn.coalesce('seen_at', by.val(now)) }))
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .returning('id')
        .execute()
      return seen.length > 0
    },

    /** Notes that something was opened; false: it was before. */
    addUse: (row: SupportAccessUseRow, record: Record): Promise<boolean> =>
      database.write<AccessTables, boolean>(async (trx) => {
        const added = await trx
          .insertInto('break_glass_uses')
          .values(row)
          .onConflict((on) => on.doNothing())
          .returning('opened_at')
          .execute()
        if (added.length > 0) await record(trx)
        return added.length > 0
      }, 'audit'),

    listUses: (id: string, limit: number): Promise<SupportAccessUseRow[]> =>
      tables()
        .selectFrom('break_glass_uses')
        .selectAll()
        .where('break_glass_id', '=', id)
        .orderBy('opened_at', 'desc')
        .orderBy('resource_id')
        .limit(limit)
        .execute(),

    async useCounts(ids: readonly string[]): Promise<Map<string, number>> {
      if (ids.length === 0) return new Map()
      const rows = await tables()
        .selectFrom('break_glass_uses')
        .select((by) => ['break_glass_id', by.fn.countAll<number>().as('count')])
        .where('break_glass_id', 'in', ids)
        .where('resource_id', '!=', '*')
        .groupBy('break_glass_id')
        .execute()
      return new Map(rows.map((row) => [row.break_glass_id, Number(row.count)]))
    },

    /** Those whose time was over after one time and until another, with both accounts. */
    endedBetween: (after: number, until: number): Promise<Pick<SupportAccessRow, 'admin_id' | 'account_id'>[]> =>
      tables()
        .selectFrom('break_glass')
        .select(['admin_id', 'account_id'])
        .where('expires_at', '>', after)
        .where('expires_at', '<=', until)
        .where('ended_at', 'is', null)
        .execute(),

    async nextEnd(now: number): Promise<number | null> {
      const row = await tables()
        .selectFrom('break_glass')
        .select((by) => by.fn.min('expires_at').as('next'))
        .where(holds(now))
        .executeTakeFirst()
      return row?.next === null || row?.next === undefined ? null : Number(row.next)
    },

    /** Of an account that is gone: nobody is left whom it would be about; what it looked into itself stays for the owners. */
    async removeAccount(accountId: string, now: number): Promise<void> {
      await tables().deleteFrom('break_glass').where('account_id', '=', accountId).execute()
      await tables()
        .updateTable('break_glass')
        .set({ ended_at: now })
        .where('admin_id', '=', accountId)
        .where(holds(now))
        .execute()
    },
  }
}

const holds = (now: number) => (by: ExpressionBuilder<AccessTables, 'break_glass'>) =>
  by.and([by('ended_at', 'is', null), by('expires_at', '>', now)])

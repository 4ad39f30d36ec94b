/** Every SQL statement about exports. */
import type { AccountExport } from '@atrium/contract/account-data'
import type { Database } from '../../platform/db/types.ts'
import type { AccountDataTables, AccountExportPartRow, AccountExportRow } from './tables.ts'

export type ExportStore = ReturnType<typeof createExportStore>

export const createExportStore = (database: Database) => {
  const tables = () => database.tables<AccountDataTables>()
  return {
    /** false: one of the account is being made already. */
    async insert(row: AccountExportRow): Promise<boolean> {
      const added = await tables()
        .insertInto('account_exports')
        .values(row)
        .onConflict((on) => on.doNothing())
        .returning('id')
        .executeTakeFirst()
      return added !== undefined
    },

    /** Newest first. */
    list: (accountId: string): Promise<AccountExportRow[]> =>
      tables()
        .selectFrom('account_exports')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(20)
        .execute(),

    async find(accountId: string, id: string): Promise<AccountExportRow | null> {
      const row = await tables()
        .selectFrom('account_exports')
        .selectAll()
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return row ?? null
    },

    async addPart(part: AccountExportPartRow): Promise<void> {
      await tables().insertInto('account_export_parts').values(part).execute()
    },

    parts: (exportId: string): Promise<AccountExportPartRow[]> =>
      tables()
        .selectFrom('account_export_parts')
        .selectAll()
        .where('export_id', '=', exportId)
        .orderBy('number')
        .execute(),

    async dropParts(exportId: string): Promise<void> {
      await tables().deleteFrom('account_export_parts').where('export_id', '=', exportId).execute()
    },

    async finish(id: string, state: 'ready' | 'failed', size: number | null): Promise<void> {
      await tables()
        .updateTable('account_exports')
        .set({ state, size_bytes: size })
        .where('id', '=', id)
        .where('state', '=', 'running')
        .execute()
    },

    async drop(id: string): Promise<void> {
      await tables().deleteFrom('account_exports').where('id', '=', id).execute()
    },

    expired: (now: number): Promise<AccountExportRow[]> =>
      tables().selectFrom('account_exports').selectAll().where('expires_at', '<=', now).limit(200).execute(),

    /** Those whose job must have been lost. */
    stale: (before: number): Promise<AccountExportRow[]> =>
      tables()
        .selectFrom('account_exports')
        .selectAll()
        .where('state', '=', 'running')
        .where('created_at', '<=', before)
        .limit(200)
        .execute(),
  }
}

export const rowToExport = (row: AccountExportRow): AccountExport => ({
  id: row.id,
  state: row.state,
  sizeBytes: row.size_bytes,
  byAdministrator: row.by_administrator === 1,
  createdAt: new Date(row.created_at).toISOString(),
  expiresAt: new Date(row.expires_at).toISOString(),
})

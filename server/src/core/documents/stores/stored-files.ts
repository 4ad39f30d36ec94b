/** SQL of what documents take in files. */
import type { Database } from '../../../platform/db/types.ts'
import { storageSums, toStorageSums } from '../../resources/index.ts'
import type { DocumentRow, DocumentTables } from '../tables.ts'

export const createStoredFiles = (database: Database) => {
  const kept = (accountId: string) =>
    database
      .tables<DocumentTables>()
      .selectFrom('documents')
      .where('account_id', '=', accountId)
      .where('file_id', 'is not', null)
  return {
    /** What is kept, the trash included. */
    async sum(accountId: string): Promise<{ count: number; bytes: number; trashedBytes: number }> {
      return toStorageSums(await kept(accountId).select(storageSums).executeTakeFirstOrThrow())
    },

    /** The largest first. */
    largest: (accountId: string, limit: number): Promise<DocumentRow[]> =>
      kept(accountId).selectAll().orderBy('size_bytes', 'desc').orderBy('id').limit(limit).execute(),
  }
}

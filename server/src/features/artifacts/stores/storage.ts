/** What artifacts take, with all their versions. */
import { sql } from 'kysely'
import type { StoredFile } from '../../../core/resources/index.ts'
import type { Platform } from '../../../platform/platform.ts'
import { readableOf } from '../../../platform/stored-json.ts'
import type { ArtifactTables } from '../tables.ts'
import { rowToArtifact } from './rows.ts'

export type StorageStore = ReturnType<typeof createStorageStore>

export const createStorageStore = ({ database, vault }: Pick<Platform, 'database' | 'vault'>) => {
  const tables = database.tables<ArtifactTables>()
  const kept = (accountId: string) =>
    tables
      .selectFrom('artifacts')
      .innerJoin('artifact_versions', 'artifact_versions.artifact_id', 'artifacts.id')
      .where('artifacts.account_id', '=', accountId)
  return {
    async sum(accountId: string): Promise<{ count: number; bytes: number; trashedBytes: number }> {
      const row = await kept(accountId)
        .select((by) => [
          by.fn.count<number>('artifacts.id').distinct().as('count'),
          by.fn.coalesce(by.fn.sum<number>('artifact_versions.size_bytes'), by.lit(0)).as('bytes'),
          sql<number>`coalesce(sum(case when deleted_at is null then 0 else artifact_versions.size_bytes end), 0)`.as(
            'trashed',
          ),
        ])
        .executeTakeFirstOrThrow()
      return { count: Number(row.count), bytes: Number(row.bytes), trashedBytes: Number(row.trashed) }
    },

    /** The largest first, those in the trash too. */
    async largest(accountId: string, limit: number): Promise<StoredFile[]> {
      const sizes = await kept(accountId)
        .select((by) => ['artifacts.id', by.fn.sum<number>('artifact_versions.size_bytes').as('bytes')])
        .groupBy('artifacts.id')
        .orderBy('bytes', 'desc')
        .orderBy('artifacts.id')
        .limit(limit)
        .execute()
      const bytesById = new Map(sizes.map(({ id, bytes }) => [id, Number(bytes)]))
      if (bytesById.size === 0) return []
      const rows = await tables
        .selectFrom('artifacts')
        .selectAll()
        .where('id', 'in', [...bytesById.keys()])
        .execute()
      const keys = await vault.keyring(accountId)
      return readableOf(rows, (row) => rowToArtifact(keys, row))
        .map(({ id, title, chatId, deletedAt }) => ({
          id,
          name: title,
          bytes: bytesById.get(id) ?? 0,
          chatId,
          trashed: deletedAt !== null,
        }))
        .toSorted((one, other) => other.bytes - one.bytes)
    },
  }
}

/** Versions of artifacts in the database. They are written with their artifact, and go with it. */
import type { ArtifactsDeps } from '../context.ts'
import type { ArtifactTables } from '../tables.ts'
import { type ListedVersion, rowToVersion, type StoredVersion } from './rows.ts'

export type VersionStore = ReturnType<typeof createVersionStore>

export const createVersionStore = ({ database, vault }: Pick<ArtifactsDeps, 'database' | 'vault'>) => {
  const tables = database.tables<ArtifactTables>()
  return {
    /** All that are kept, newest first, without their content. */
    async list(artifactId: string): Promise<ListedVersion[]> {
      const rows = await tables
        .selectFrom('artifact_versions')
        .select(['number', 'account_id', 'size_bytes', 'author_kind', 'author_id', 'restored_from', 'created_at'])
        .where('artifact_id', '=', artifactId)
        .orderBy('number', 'desc')
        .execute()
      return rows.map((row) => ({
        artifactId,
        number: row.number,
        accountId: row.account_id,
        sizeBytes: row.size_bytes,
        authorKind: row.author_kind === 'model' ? 'model' : 'person',
        authorId: row.author_id,
        restoredFrom: row.restored_from,
        createdAt: row.created_at,
      }))
    },

    async read(artifactId: string, number: number): Promise<StoredVersion | null> {
      const row = await tables
        .selectFrom('artifact_versions')
        .selectAll()
        .where('artifact_id', '=', artifactId)
        .where('number', '=', number)
        .executeTakeFirst()
      return row ? rowToVersion(await vault.keyring(row.account_id), row) : null
    },
  }
}

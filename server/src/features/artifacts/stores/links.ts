/** SQL of the links by which artifacts are shared. */
import { type Kysely, type SqlBool, sql } from 'kysely'
import { createLinkStore } from '../../../core/access/index.ts'
import { cutPage, decodeCursor } from '../../../platform/db/cursor.ts'
import type { Database } from '../../../platform/db/types.ts'
import type { ArtifactLinkRow, ArtifactTables } from '../tables.ts'

/** A link that works now, and the number of the version that it shows. */
export interface LiveArtifactLink {
  readonly link: ArtifactLinkRow
  readonly shown: number
}

export type ArtifactLinkStore = ReturnType<typeof createArtifactLinkStore>

export const createArtifactLinkStore = (database: Database) => {
  const db = () => database.tables<ArtifactTables>()

  /** In time, of an artifact outside of the trash, of a version that is kept, of an account that may sign in. */
  const live = (tables: Kysely<ArtifactTables>, now: number) =>
    tables
      .selectFrom('artifact_links as link')
      .innerJoin('artifacts as artifact', 'artifact.id', 'link.artifact_id')
      .innerJoin('artifact_versions as version', (join) =>
        join
          .onRef('version.artifact_id', '=', 'artifact.id')
          .on(sql<SqlBool>`version.number = coalesce(link.version, artifact.version)`),
      )
      .where('link.expires_at', '>', now)
      .where('artifact.deleted_at', 'is', null)
      .where(
        sql<SqlBool>`exists (select 1 from accounts where accounts.id = artifact.account_id and accounts.status = 'active')`,
      )

  return Object.assign(createLinkStore<ArtifactLinkRow>(database, { table: 'artifact_links', thing: 'artifact_id' }), {
    async find(column: 'id' | 'secret_digest', value: string, now: number): Promise<LiveArtifactLink | null> {
      const row = await live(db(), now)
        .selectAll('link')
        .select('version.number as shown')
        .where(`link.${column}`, '=', value)
        .executeTakeFirst()
      if (!row) return null
      const { shown, ...link } = row
      return { link, shown }
    },

    /** What the links of these ids show; those that do not work any more are left out. */
    async states(ids: readonly string[], now: number) {
      if (ids.length === 0) return new Map()
      const rows = await live(db(), now)
        .select(['link.id', 'link.password', 'version.number', 'artifact.updated_at'])
        .where('link.id', 'in', ids)
        .execute()
      return new Map(rows.map(({ id, ...state }) => [id, state]))
    },

    async read(id: string, artifactId: string, now: number): Promise<ArtifactLinkRow | null> {
      const row = await db()
        .selectFrom('artifact_links')
        .selectAll()
        .where('id', '=', id)
        .where('artifact_id', '=', artifactId)
        .where('expires_at', '>', now)
        .executeTakeFirst()
      return row ?? null
    },

    /** The links of an account, newest first, of what is not in its trash. Refuses with `bad_cursor`. */
    async page(
      accountId: string,
      now: number,
      limit: number,
      cursor: string | undefined,
    ): Promise<{ items: ArtifactLinkRow[]; nextCursor: string | null }> {
      let query = db()
        .selectFrom('artifact_links as link')
        .innerJoin('artifacts as artifact', 'artifact.id', 'link.artifact_id')
        .selectAll('link')
        .where('link.account_id', '=', accountId)
        .where('link.expires_at', '>', now)
        .where('artifact.deleted_at', 'is', null)
        .orderBy('link.created_at', 'desc')
        .orderBy('link.id', 'desc')
        .limit(limit + 1)
      if (cursor !== undefined) {
        const { time, id } = decodeCursor(cursor)
        query = query.where((by) => by(by.refTuple('link.created_at', 'link.id'), '<', by.tuple(time, id)))
      }
      return cutPage(await query.execute(), limit, (row) => ({ time: row.created_at, id: row.id }))
    },

    async countOpening(id: string): Promise<void> {
      await db()
        .updateTable('artifact_links')
        .set((by) => ({ open_count: by('open_count', '+', 1) }))
        .where('id', '=', id)
        .execute()
    },
  })
}

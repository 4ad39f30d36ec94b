/** SQL of items: found, listed, changed, and taken to the trash and out of it. */
import { sql, type Transaction } from 'kysely'
import type { PlaceRow } from '../../../core/resources/index.ts'
import type { Matching } from '../../../platform/db/search/index.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { MediaItemRow, MediaTables } from '../tables.ts'

type Trx = Transaction<MediaTables>

/** Where all items stand, for the question who may see them. In the trash one is its owner's alone. */
export const mediaPlaces = sql<PlaceRow>`select id, account_id as owner_id, null as within_id,
  case when deleted_at is null then 1 else 0 end as shown from media_items`

/** The partitions of the index of words that hold an account's items, and those in its trash. */
export const partitionOf = ({ account_id, deleted_at }: Pick<MediaItemRow, 'account_id' | 'deleted_at'>): string =>
  `${deleted_at === null ? 'media' : 'media-trash'}:${account_id}`

export const createItemStore = ({
  database,
  files,
  indexes: { texts },
}: Pick<Platform, 'database' | 'files' | 'indexes'>) => {
  const tables = database.tables<MediaTables>()

  /** The words of an item, for the index. */
  const hashWords = (row: MediaItemRow, title: string, prompt: string) =>
    texts.hash([
      {
        id: `media:${row.id}`,
        group: row.id,
        partition: partitionOf(row),
        time: row.created_at,
        facets: [`has:${row.kind}`],
        text: `${title}\n${prompt}`,
        prefixes: true,
      },
    ])

  /** Deletes rows, their words and their files. */
  const purge = async (trx: Trx, rows: readonly MediaItemRow[]): Promise<void> => {
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return
    await trx.deleteFrom('media_sources').where('source_id', 'in', ids).execute()
    await texts.removeGroups(ids, trx)
    await files.remove(
      rows.flatMap(({ file_id, thumbnail_file_id }) => [file_id, ...(thumbnail_file_id ? [thumbnail_file_id] : [])]),
      trx,
    )
  }

  return {
    async insert(row: MediaItemRow, words: { title: string; prompt: string }, sourceIds: readonly string[]) {
      const hashed = await hashWords(row, words.title, words.prompt)
      const sources = sourceIds.map((source_id, place) => ({ media_id: row.id, place, source_id }))
      await database.write<MediaTables, void>(async (trx) => {
        await trx.insertInto('media_items').values(row).execute()
        if (sources.length > 0) await trx.insertInto('media_sources').values(sources).execute()
        await texts.put(hashed, trx)
      })
    },

    /** An account's own item, in the trash or not. */
    async readOwn(accountId: string, id: string): Promise<MediaItemRow | null> {
      const row = await tables
        .selectFrom('media_items')
        .selectAll()
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return row ?? null
    },

    /** Those of the ids that are not in the trash, of whomever. */
    async readAny(ids: readonly string[]): Promise<MediaItemRow[]> {
      if (ids.length === 0) return []
      return tables
        .selectFrom('media_items')
        .selectAll()
        .where('id', 'in', ids)
        .where('deleted_at', 'is', null)
        .execute()
    },

    /** Own ones of the ids that are not in the trash. */
    async readMany(accountId: string, ids: readonly string[]): Promise<MediaItemRow[]> {
      if (ids.length === 0) return []
      return tables
        .selectFrom('media_items')
        .selectAll()
        .where('id', 'in', ids)
        .where('account_id', '=', accountId)
        .where('deleted_at', 'is', null)
        .execute()
    },

    /** What the items were made from and is not deleted, by the ids of the items. */
    async sourcesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
      const sources = new Map<string, string[]>()
      if (ids.length === 0) return sources
      const rows = await tables
        .selectFrom('media_sources as made')
        .innerJoin('media_items as source', 'source.id', 'made.source_id')
        .select(['made.media_id', 'made.source_id'])
        .where('made.media_id', 'in', ids)
        .where('source.deleted_at', 'is', null)
        .orderBy('made.place')
        .execute()
      for (const { media_id, source_id } of rows) sources.set(media_id, [...(sources.get(media_id) ?? []), source_id])
      return sources
    },

    /** The ids of the items that hold the words. */
    matching: (row: Pick<MediaItemRow, 'account_id' | 'deleted_at'>, text: string): Promise<Matching> =>
      texts.matching({ text, partitions: [partitionOf(row)], typing: true }),

    /** Changes an own item that is not in the trash; null: there is none. */
    async change(
      row: MediaItemRow,
      values: Partial<MediaItemRow>,
      words: { title: string; prompt: string } | null,
    ): Promise<MediaItemRow | null> {
      const hashed = words && (await hashWords(row, words.title, words.prompt))
      return await database.write<MediaTables, MediaItemRow | null>(async (trx) => {
        const changed = await trx
          .updateTable('media_items')
          .set(values)
          .where('id', '=', row.id)
          .where('account_id', '=', row.account_id)
          .where('deleted_at', 'is', null)
          .returningAll()
          .executeTakeFirst()
        if (changed && hashed) await texts.put(hashed, trx)
        return changed ?? null
      })
    },

    /** Puts another thumbnail in the place of the one that was read; null: it has another one already, or was deleted. */
    async setThumbnail(
      row: MediaItemRow,
      { id, mediaType }: { readonly id: string; readonly mediaType: string },
    ): Promise<MediaItemRow | null> {
      const changed = await tables
        .updateTable('media_items')
        .set({ thumbnail_file_id: id, thumbnail_type: mediaType })
        .where('id', '=', row.id)
        .where('account_id', '=', row.account_id)
        .where('deleted_at', 'is', null)
        .where('thumbnail_file_id', row.thumbnail_file_id === null ? 'is' : '=', row.thumbnail_file_id)
        .returningAll()
        .executeTakeFirst()
      return changed ?? null
    },

    /** Moves own items to the trash, or with null out of it; gives those that were where they should be. */
    setDeleted: (accountId: string, ids: readonly string[], deletedAt: number | null): Promise<string[]> =>
      database.write<MediaTables, string[]>(async (trx) => {
        const rows = await trx
          .updateTable('media_items')
          .set({ deleted_at: deletedAt })
          .where('id', 'in', ids)
          .where('account_id', '=', accountId)
          .where('deleted_at', deletedAt === null ? 'is not' : 'is', null)
          .returning('id')
          .execute()
        const moved = rows.map(({ id }) => id)
        if (moved.length > 0)
          await texts.move(moved, partitionOf({ account_id: accountId, deleted_at: deletedAt }), trx)
        return moved
      }),

    /** Makes own items that are not in the trash favourites, or not; gives their ids. */
    async setFavourite(accountId: string, ids: readonly string[], favourite: boolean, now: number): Promise<string[]> {
      const rows = await tables
        .updateTable('media_items')
        .set({ favourite: favourite ? 1 : 0, updated_at: now })
        .where('id', 'in', ids)
        .where('account_id', '=', accountId)
        .where('deleted_at', 'is', null)
        .returning('id')
        .execute()
      return rows.map(({ id }) => id)
    },

    /** Deletes one in the trash for good; false: the account has none of this id there. */
    removeDeleted: (accountId: string, id: string): Promise<boolean> =>
      database.write<MediaTables, boolean>(async (trx) => {
        const row = await trx
          .deleteFrom('media_items')
          .where('id', '=', id)
          .where('account_id', '=', accountId)
          .where('deleted_at', 'is not', null)
          .returningAll()
          .executeTakeFirst()
        await purge(trx, row ? [row] : [])
        return row !== undefined
      }),

    /** What was deleted before a time, of all accounts. */
    expired: (before: number, limit: number): Promise<Pick<MediaItemRow, 'id' | 'account_id'>[]> =>
      tables
        .selectFrom('media_items')
        .select(['id', 'account_id'])
        .where('deleted_at', '<', before)
        .limit(limit)
        .execute(),

    /** Deletes some of what an account has, in the trash or not; false: nothing is left. */
    removeSome: (accountId: string, limit: number): Promise<boolean> =>
      database.write<MediaTables, boolean>(async (trx) => {
        const some = trx.selectFrom('media_items').select('id').where('account_id', '=', accountId).limit(limit)
        const rows = await trx.deleteFrom('media_items').where('id', 'in', some).returningAll().execute()
        await purge(trx, rows)
        return rows.length > 0
      }),
  }
}
export type ItemStore = ReturnType<typeof createItemStore>

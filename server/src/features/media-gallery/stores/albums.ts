/** SQL of albums and of what is in them. Names are sealed, and found by their words. */
import { mostAlbums } from '@atrium/contract/media-gallery'
import { type SqlBool, type Transaction, sql } from 'kysely'
import type { Platform } from '../../../platform/platform.ts'
import type { MediaAlbumRow, MediaItemRow, MediaTables } from '../tables.ts'

type Trx = Transaction<MediaTables>

/** The partition of the index of words that holds the names of an account's albums. */
export const albumPartition = (accountId: string): string => `media-albums:${accountId}`

export type AlbumStore = ReturnType<typeof createAlbumStore>

export const createAlbumStore = ({ database, indexes: { texts } }: Pick<Platform, 'database' | 'indexes'>) => {
  const tables = database.tables<MediaTables>()
  const hashName = ({ id, account_id, created_at }: MediaAlbumRow, name: string) =>
    texts.hash([
      {
        id: `album:${id}`,
        group: id,
        partition: albumPartition(account_id),
        time: created_at,
        facets: [],
        text: name,
        prefixes: true,
      },
    ])
  const write = <R>(work: (trx: Trx) => Promise<R>): Promise<R> => database.write<MediaTables, R>(work)

  return {
    list: (accountId: string): Promise<MediaAlbumRow[]> =>
      tables
        .selectFrom('media_albums')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('place')
        .orderBy('id')
        .execute(),

    async readOwn(accountId: string, id: string): Promise<MediaAlbumRow | null> {
      const row = await tables
        .selectFrom('media_albums')
        .selectAll()
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return row ?? null
    },

    /** Puts a new one behind all others, with these items in it; false: there are as many as there may be. */
    async add(row: MediaAlbumRow, name: string, mediaIds: readonly string[]): Promise<boolean> {
      const hashed = await hashName(row, name)
      return await write(async (trx) => {
        const { count, last } = await trx
          .selectFrom('media_albums')
          .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.max<number | null>('place').as('last')])
          .where('account_id', '=', row.account_id)
          .executeTakeFirstOrThrow()
        if (Number(count) >= mostAlbums) return false
        await trx
          .insertInto('media_albums')
          .values(Object.assign(row, { place: Number(last ?? -1) + 1 }))
          .execute()
        await insert(trx, row.id, mediaIds, 0)
        await texts.put(hashed, trx)
        return true
      })
    },

    /** null: the account has none of this id. */
    async change(
      row: MediaAlbumRow,
      values: Partial<MediaAlbumRow>,
      name: string | null,
    ): Promise<MediaAlbumRow | null> {
      const hashed = name === null ? null : await hashName(row, name)
      return await write(async (trx) => {
        const changed = await trx
          .updateTable('media_albums')
          .set(values)
          .where('id', '=', row.id)
          .where('account_id', '=', row.account_id)
          .returningAll()
          .executeTakeFirst()
        if (changed && hashed) await texts.put(hashed, trx)
        return changed ?? null
      })
    },

    /** Puts the albums of an account into this order. */
    order: (accountId: string, ids: readonly string[]): Promise<void> =>
      write(async (trx) => {
        for (const [place, id] of ids.entries())
          await trx
            .updateTable('media_albums')
            .set({ place })
            .where('id', '=', id)
            .where('account_id', '=', accountId)
            .execute()
      }),

    /** Whether there was one. What was in it stays. */
    remove: (accountId: string, id: string): Promise<boolean> =>
      write(async (trx) => {
        const { numDeletedRows } = await trx
          .deleteFrom('media_albums')
          .where('id', '=', id)
          .where('account_id', '=', accountId)
          .executeTakeFirst()
        if (numDeletedRows > 0n) await texts.removeGroups([id], trx)
        return numDeletedRows > 0n
      }),

    /** Puts items into an album, before another one, or at its end; those in it are moved. */
    place: (albumId: string, mediaIds: readonly string[], before: string | null): Promise<void> =>
      write(async (trx) => {
        await takeOut(trx, albumId, mediaIds)
        const entries = trx.selectFrom('media_album_items').where('album_id', '=', albumId)
        const next =
          before === null ? undefined : await entries.select('place').where('media_id', '=', before).executeTakeFirst()
        if (next)
          await trx
            .updateTable('media_album_items')
            .set({ place: sql`place + ${mediaIds.length}` })
            .where('album_id', '=', albumId)
            .where('place', '>=', next.place)
            .execute()
        const { last } = await entries
          .select((eb) => eb.fn.max<number | null>('place').as('last'))
          .executeTakeFirstOrThrow()
        await insert(trx, albumId, mediaIds, next?.place ?? Number(last ?? -1) + 1)
      }),

    takeOut: (albumId: string, mediaIds: readonly string[]): Promise<void> =>
      write((trx) => takeOut(trx, albumId, mediaIds)),

    /** Puts an item into these albums, at their ends, and takes it out of all others. */
    assign: (mediaId: string, albumIds: readonly string[]): Promise<void> =>
      write(async (trx) => {
        const rows = await trx
          .selectFrom('media_album_items')
          .select('album_id')
          .where('media_id', '=', mediaId)
          .execute()
        const before = rows.map(({ album_id }) => album_id)
        for (const albumId of before) if (!albumIds.includes(albumId)) await takeOut(trx, albumId, [mediaId])
        for (const albumId of albumIds) if (!before.includes(albumId)) await addAtEnd(trx, albumId, [mediaId])
      }),

    /** Puts those that are not in an album at its end. */
    append: (albumId: string, mediaIds: readonly string[]): Promise<void> =>
      write((trx) => addAtEnd(trx, albumId, mediaIds)),

    /** The albums that items are in, in the order of the albums, by the ids of the items. */
    async ofItems(ids: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
      const albums = new Map<string, string[]>()
      if (ids.length === 0) return albums
      const rows = await tables
        .selectFrom('media_album_items as entry')
        .innerJoin('media_albums as album', 'album.id', 'entry.album_id')
        .select(['entry.media_id', 'entry.album_id'])
        .where('entry.media_id', 'in', ids)
        .orderBy('album.place')
        .orderBy('album.id')
        .execute()
      for (const { media_id, album_id } of rows) albums.set(media_id, [...(albums.get(media_id) ?? []), album_id])
      return albums
    },

    /** How many items that are not in the trash each album has. */
    async counts(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
      if (ids.length === 0) return new Map()
      const rows = await tables
        .selectFrom('media_album_items as entry')
        .innerJoin('media_items as item', 'item.id', 'entry.media_id')
        .select((eb) => ['entry.album_id', eb.fn.countAll<number>().as('count')])
        .where('entry.album_id', 'in', ids)
        .where('item.deleted_at', 'is', null)
        .groupBy('entry.album_id')
        .execute()
      return new Map(rows.map(({ album_id, count }) => [album_id, Number(count)]))
    },

    /** What stands for each album: the chosen item where it is in it and not in the trash, else the first. */
    async covers(ids: readonly string[]): Promise<ReadonlyMap<string, MediaItemRow>> {
      if (ids.length === 0) return new Map()
      const rows = await tables
        .selectFrom('media_albums as album')
        .innerJoin('media_items as item', (join) =>
          join.on(
            sql<SqlBool>`item.id = (
              select entry.media_id from media_album_items as entry
              join media_items as live on live.id = entry.media_id and live.deleted_at is null
              where entry.album_id = album.id
              order by case when entry.media_id = album.cover_id then 0 else 1 end, entry.place, entry.media_id
              limit 1
            )`,
          ),
        )
        .selectAll('item')
        .select('album.id as album_id')
        .where('album.id', 'in', ids)
        .execute()
      return new Map(rows.map(({ album_id, ...row }) => [album_id, row]))
    },

    /** The ids of those whose names hold the words. */
    async find(accountId: string, text: string, limit: number): Promise<{ id: string; score: number }[]> {
      const partitions = [albumPartition(accountId)]
      const hits = await texts.find({ text, partitions, everyWord: true, typing: true, limit })
      return hits.map(({ group, score }) => ({ id: group, score }))
    },

    removeAccount: (accountId: string): Promise<void> =>
      write(async (trx) => {
        await trx.deleteFrom('media_albums').where('account_id', '=', accountId).execute()
        await texts.removePartitions([albumPartition(accountId)], trx)
      }),
  }
}

const insert = async (trx: Trx, albumId: string, mediaIds: readonly string[], from: number): Promise<void> => {
  if (mediaIds.length === 0) return
  // Both may have gone since they were looked at.
  const album = await trx.selectFrom('media_albums').select('id').where('id', '=', albumId).executeTakeFirst()
  const items = await trx.selectFrom('media_items').select('id').where('id', 'in', mediaIds).execute()
  const there = new Set(items.map(({ id }) => id))
  const rows = mediaIds.flatMap((media_id, at) =>
    there.has(media_id) ? [{ album_id: albumId, media_id, place: from + at }] : [],
  )
  if (!album || rows.length === 0) return
  await trx.insertInto('media_album_items').values(rows).execute()
}

const takeOut = async (trx: Trx, albumId: string, mediaIds: readonly string[]): Promise<void> => {
  await trx.deleteFrom('media_album_items').where('album_id', '=', albumId).where('media_id', 'in', mediaIds).execute()
}

const addAtEnd = async (trx: Trx, albumId: string, mediaIds: readonly string[]): Promise<void> => {
  const entries = trx.selectFrom('media_album_items').where('album_id', '=', albumId)
  const there = await entries.select('media_id').where('media_id', 'in', mediaIds).execute()
  const { last } = await entries.select((eb) => eb.fn.max<number | null>('place').as('last')).executeTakeFirstOrThrow()
  const missing = mediaIds.filter((id) => !there.some(({ media_id }) => media_id === id))
  await insert(trx, albumId, missing, Number(last ?? -1) + 1)
}

/** Albums as their owner makes, fills and orders them. */
import type { MediaAlbum, mediaGalleryRoutes } from '@atrium/contract/media-gallery'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import { announceGallery, type MediaContext } from './context.ts'
import { rowToAlbum, sealAlbumName } from './stores/rows.ts'
import type { MediaAlbumRow } from './tables.ts'

type Routes = Pick<
  typeof mediaGalleryRoutes,
  | 'albums'
  | 'createAlbum'
  | 'orderAlbums'
  | 'readAlbum'
  | 'updateAlbum'
  | 'removeAlbum'
  | 'placeInAlbum'
  | 'takeFromAlbum'
>

export const albumHandlers = (context: MediaContext): Handlers<Routes> => {
  const { albums, clock, vault } = context
  /** An album after what is in it changed. */
  const touch = async (row: MediaAlbumRow): Promise<MediaAlbum> => {
    const changed = await albums.change(row, { updated_at: clock.now() }, null)
    if (!changed) throw fail('album_not_found')
    await announceGallery(context, row.account_id)
    return await toAlbum(context, changed)
  }
  return {
    async albums(_, { caller: { accountId } }) {
      return { items: await toAlbums(context, accountId, await albums.list(accountId)), nextCursor: null }
    },

    async createAlbum({ body: { name, mediaIds = [] } }, { caller: { accountId } }) {
      const ids = await requireItems(context, accountId, mediaIds)
      const id = clock.id()
      const now = clock.now()
      const row: MediaAlbumRow = {
        id,
        account_id: accountId,
        name: sealAlbumName(await vault.keyring(accountId), id, name),
        place: 0,
        cover_id: null,
        created_at: now,
        updated_at: now,
      }
      if (!(await albums.add(row, name, ids))) throw fail('album_limit')
      await announceGallery(context, accountId)
      return await toAlbum(context, row)
    },

    async orderAlbums({ body: { albumIds } }, { caller: { accountId } }) {
      const named = [...new Set(albumIds)]
      await requireAlbums(context, accountId, named)
      const all = (await albums.list(accountId)).map(({ id }) => id)
      await albums.order(accountId, [...named, ...all.filter((id) => !named.includes(id))])
      await announceGallery(context, accountId)
      return {}
    },

    readAlbum: async ({ params }, { caller }) =>
      await toAlbum(context, await requireAlbum(context, caller.accountId, params.albumId)),

    async updateAlbum({ params, body: { name, coverId } }, { caller: { accountId } }) {
      const before = await requireAlbum(context, accountId, params.albumId)
      const values: Partial<MediaAlbumRow> = { updated_at: clock.now() }
      if (name !== undefined) values.name = sealAlbumName(await vault.keyring(accountId), before.id, name)
      if (coverId !== undefined) values.cover_id = coverId
      if (coverId) {
        const within = await albums.ofItems(await requireItems(context, accountId, [coverId]))
        if (!within.get(coverId)?.includes(before.id)) throw fail('media_not_found', 'This item isn’t in the album.')
      }
      const row = await albums.change(before, values, name ?? null)
      if (!row) throw fail('album_not_found')
      await announceGallery(context, accountId)
      return await toAlbum(context, row)
    },

    async removeAlbum({ params }, { caller: { accountId } }) {
      if (!(await albums.remove(accountId, params.albumId))) throw fail('album_not_found')
      await announceGallery(context, accountId)
      return {}
    },

    async placeInAlbum({ params, body: { mediaIds, before = null } }, { caller: { accountId } }) {
      const row = await requireAlbum(context, accountId, params.albumId)
      await albums.place(row.id, await requireItems(context, accountId, mediaIds), before)
      return await touch(row)
    },

    async takeFromAlbum({ params, body: { mediaIds } }, { caller: { accountId } }) {
      const row = await requireAlbum(context, accountId, params.albumId)
      await albums.takeOut(row.id, mediaIds)
      return await touch(row)
    },
  }
}

/** An own album. Refuses with `album_not_found`. */
export const requireAlbum = async (
  { albums }: Pick<MediaContext, 'albums'>,
  accountId: string,
  id: string,
): Promise<MediaAlbumRow> => {
  const row = await albums.readOwn(accountId, id)
  if (!row) throw fail('album_not_found')
  return row
}

/** Refuses with `album_not_found` where one of them is not the account's. */
export const requireAlbums = async (
  { albums }: Pick<MediaContext, 'albums'>,
  accountId: string,
  ids: readonly string[],
): Promise<void> => {
  const own = new Set((await albums.list(accountId)).map(({ id }) => id))
  if (ids.some((id) => !own.has(id))) throw fail('album_not_found')
}

/** The ids, each once. Refuses with `media_not_found` where one is not of an own item that is not in the trash. */
const requireItems = async ({ items }: MediaContext, accountId: string, ids: readonly string[]): Promise<string[]> => {
  const wanted = [...new Set(ids)]
  if ((await items.readMany(accountId, wanted)).length < wanted.length) throw fail('media_not_found')
  return wanted
}

const toAlbums = async (
  { albums, vault }: MediaContext,
  accountId: string,
  rows: readonly MediaAlbumRow[],
): Promise<MediaAlbum[]> => {
  const ids = rows.map(({ id }) => id)
  const [keys, counts, covers] = await Promise.all([vault.keyring(accountId), albums.counts(ids), albums.covers(ids)])
  return rows.map((row) => rowToAlbum(keys, row, { count: counts.get(row.id) ?? 0, cover: covers.get(row.id) ?? null }))
}

const toAlbum = async (context: MediaContext, row: MediaAlbumRow): Promise<MediaAlbum> => {
  const [album] = await toAlbums(context, row.account_id, [row])
  if (!album) throw fail('album_not_found')
  return album
}

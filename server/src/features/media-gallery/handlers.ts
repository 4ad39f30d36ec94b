/** Items as their owner sees and changes them. */
import { type MediaItem, type mediaGalleryRoutes, mostAlbums } from '@atrium/contract/media-gallery'
import { type CursorKey, cutPage, decodeCursor } from '../../platform/db/cursor.ts'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import { requireAlbum, requireAlbums } from './albums.ts'
import { announceItem, type MediaContext } from './context.ts'
import { readStorage } from './quota.ts'
import { placeOf } from './stores/listing.ts'
import { openPrompt, rowToItem, sealAlt, sealTitle } from './stores/rows.ts'
import type { MediaItemRow } from './tables.ts'

type Routes = Pick<typeof mediaGalleryRoutes, 'list' | 'storage' | 'read' | 'derived' | 'update' | 'remove'>

export const itemHandlers = (context: MediaContext): Handlers<Routes> => {
  const { albums, clock, items, listing, vault } = context
  return {
    async list({ query: { limit, cursor, q, sort, trash = false, ...only } }, { caller: { accountId } }) {
      const after = cursor === undefined ? null : decodeCursor(cursor)
      const { albumId } = only
      if (albumId !== undefined) await requireAlbum(context, accountId, albumId)
      const among = q ? await find(context, accountId, trash, q) : undefined
      const filter = Object.assign(filterOf(accountId, only), { oldestFirst: sort === 'oldest', trash, among })
      if (sort === 'album' && albumId !== undefined) {
        const rows = await listing.listInOrder(Object.assign(filter, { albumId }), after, limit + 1)
        return await pageOf(context, accountId, rows, limit, ({ place, id }) => ({ time: place, id }))
      }
      return await pageOf(context, accountId, await listing.list(filter, after, limit + 1), limit, placeOf)
    },

    storage: (_, { caller }) => readStorage(context, caller.accountId),

    read: async ({ params }, { resource }) =>
      await toItem(context, await findLive(context, resource.ownerId, params.mediaId)),

    async derived({ query: { limit, cursor } }, { resource }) {
      const row = await findLive(context, resource.ownerId, resource.id)
      const after = cursor === undefined ? null : decodeCursor(cursor)
      const rows = await listing.list({ accountId: row.account_id, sourceId: row.id }, after, limit + 1)
      return await pageOf(context, row.account_id, rows, limit, placeOf)
    },

    async update({ params, body }, { resource: { ownerId: accountId } }) {
      const before = await findLive(context, accountId, params.mediaId)
      const keys = await vault.keyring(accountId)
      const values: Partial<MediaItemRow> = { updated_at: clock.now() }
      if (body.title !== undefined) values.title = sealTitle(keys, before.id, body.title)
      if (body.alt !== undefined) values.alt = sealAlt(keys, before.id, body.alt)
      if (body.favourite !== undefined) values.favourite = body.favourite ? 1 : 0
      if (body.albumIds) await requireAlbums(context, accountId, body.albumIds)
      const words = body.title === undefined ? null : { title: body.title, prompt: openPrompt(keys, before) }
      const row = await items.change(before, values, words)
      if (!row) throw fail('media_not_found')
      if (body.albumIds) await albums.assign(row.id, [...new Set(body.albumIds)])
      await announceItem(context, accountId, row.id)
      return await toItem(context, row)
    },

    async remove({ params }, { resource: { ownerId: accountId } }) {
      const moved = await items.setDeleted(accountId, [params.mediaId], clock.now())
      if (moved.length === 0) throw fail('media_not_found')
      await announceItem(context, accountId, params.mediaId)
      return {}
    },
  }
}

/** What a query says of items, with times as integers. */
export const filterOf = (
  accountId: string,
  {
    from,
    to,
    ...only
  }: {
    readonly kind?: MediaItemRow['kind'] | undefined
    readonly model?: string | undefined
    readonly jobId?: string | undefined
    readonly favourite?: boolean | undefined
    readonly albumId?: string | undefined
    readonly from?: string | undefined
    readonly to?: string | undefined
  },
) => ({
  accountId,
  kind: only.kind,
  model: only.model,
  jobId: only.jobId,
  favourite: only.favourite,
  albumId: only.albumId,
  from: from === undefined ? undefined : Date.parse(from),
  to: to === undefined ? undefined : Date.parse(to),
})

/** The items that hold words, and the albums whose names do. */
const find = async ({ albums, items }: MediaContext, accountId: string, trash: boolean, words: string) => {
  const where = { account_id: accountId, deleted_at: trash ? 0 : null }
  const [matching, named] = await Promise.all([items.matching(where, words), albums.find(accountId, words, mostAlbums)])
  return { matching, albumIds: named.map(({ id }) => id) }
}

/** An own item that is not in the trash. Refuses with `media_not_found`. */
export const findLive = async ({ items }: MediaContext, accountId: string, id: string): Promise<MediaItemRow> => {
  const row = await items.readOwn(accountId, id)
  if (!row || row.deleted_at !== null) throw fail('media_not_found')
  return row
}

/** Rows as their owner sees them. */
export const toItems = async (
  { albums, items, vault }: MediaContext,
  accountId: string,
  rows: readonly MediaItemRow[],
): Promise<MediaItem[]> => {
  const ids = rows.map(({ id }) => id)
  const [keys, sources, albumIds] = await Promise.all([
    vault.keyring(accountId),
    items.sourcesOf(ids),
    albums.ofItems(ids),
  ])
  return rows.map((row) =>
    rowToItem(keys, row, { sources: sources.get(row.id) ?? [], albumIds: albumIds.get(row.id) ?? [] }),
  )
}

export const toItem = async (context: MediaContext, row: MediaItemRow): Promise<MediaItem> => {
  const [item] = await toItems(context, row.account_id, [row])
  if (!item) throw fail('media_not_found')
  return item
}

const pageOf = async <R extends MediaItemRow>(
  context: MediaContext,
  accountId: string,
  rows: readonly R[],
  limit: number,
  keyOf: (row: R) => CursorKey,
) => {
  const { items, nextCursor } = cutPage(rows, limit, keyOf)
  return { items: await toItems(context, accountId, items), nextCursor }
}

/** Many items at once: changed by their ids, and packed into one archive. */
import { type mediaGalleryRoutes, mostAtOnce } from '@atrium/contract/media-gallery'
import { type ArchiveFile, writeArchive } from '../../platform/archive/write.ts'
import type { CursorKey } from '../../platform/db/cursor.ts'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import { requireAlbum } from './albums.ts'
import { announceGallery, type MediaContext } from './context.ts'
import { archiveFile } from './export.ts'
import { filterOf } from './handlers.ts'
import { type ItemFilter, placeOf } from './stores/listing.ts'
import { openTitle } from './stores/rows.ts'
import type { MediaItemRow } from './tables.ts'

/** What a zip without its 64-bit form holds, with some room for what stands between the files. */
const mostArchiveBytes = 4_200_000_000

export const manyHandlers = (
  context: MediaContext,
): Handlers<Pick<typeof mediaGalleryRoutes, 'batch' | 'archive'>> => ({
  async batch({ body }, { caller: { accountId } }) {
    const { albums, clock, items } = context
    const { favourite, addToAlbumId, removeFromAlbumId, deleted } = body
    const ids = [...new Set(body.mediaIds)]
    for (const albumId of [addToAlbumId, removeFromAlbumId])
      if (albumId !== undefined) await requireAlbum(context, accountId, albumId)
    if (deleted === false) await items.setDeleted(accountId, ids, null)
    const live = new Set((await items.readMany(accountId, ids)).map(({ id }) => id))
    const changed = ids.filter((id) => live.has(id))
    const missing = ids.filter((id) => !live.has(id))
    if (changed.length === 0) return { changed, missing }
    if (favourite !== undefined) await items.setFavourite(accountId, changed, favourite, clock.now())
    if (addToAlbumId !== undefined) await albums.append(addToAlbumId, changed)
    if (removeFromAlbumId !== undefined) await albums.takeOut(removeFromAlbumId, changed)
    if (deleted === true) await items.setDeleted(accountId, changed, clock.now())
    await announceGallery(context, accountId)
    return { changed, missing }
  },

  async archive({ query: { ids, ...only } }, { caller: { accountId }, signal }) {
    if (only.albumId !== undefined) await requireAlbum(context, accountId, only.albumId)
    const wanted = ids === undefined ? null : [...new Set(ids.split(','))]
    if (wanted && wanted.length > mostAtOnce) throw fail('too_large', `You can select at most ${mostAtOnce} items.`)
    const among = wanted ? { ids: wanted, albumIds: [] } : undefined
    const filter: ItemFilter = Object.assign(filterOf(accountId, only), { among })
    let [count, bytes] = [0, 0]
    for await (const row of allOf(context, filter)) {
      count += 1
      bytes += row.size_bytes
    }
    if (count === 0 || (wanted && count < wanted.length)) throw fail('media_not_found')
    if (bytes > mostArchiveBytes) throw fail('too_large', 'These items have more than 4 GB. Select fewer.')
    return {
      body: writeArchive(filesOf(context, filter, signal)),
      mediaType: 'application/zip',
      fileName: `gallery-${new Date(context.clock.now()).toISOString().slice(0, 10)}.zip`,
      disposition: 'attachment',
    }
  },
})

async function* filesOf(context: MediaContext, filter: ItemFilter, signal: AbortSignal): AsyncIterable<ArchiveFile> {
  const keys = await context.vault.keyring(filter.accountId)
  for await (const row of allOf(context, filter)) {
    signal.throwIfAborted()
    yield archiveFile(context, row, openTitle(keys, row))
  }
}

async function* allOf({ listing }: MediaContext, filter: ItemFilter): AsyncIterable<MediaItemRow> {
  for (let after: CursorKey | null = null; ; ) {
    const rows: MediaItemRow[] = await listing.list(filter, after, 100)
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < 100) return
    after = placeOf(last)
  }
}

/** The gallery as its owner takes it along: the files, and one JSON that tells of each. */
import type { MediaItem } from '@atrium/contract/media-gallery'
import { type ArchiveFile, jsonBytes, safeName } from '../../platform/archive/write.ts'
import type { CursorKey } from '../../platform/db/cursor.ts'
import { readWhileThere } from '../../platform/files/read.ts'
import type { MediaContext } from './context.ts'
import { toItems } from './handlers.ts'
import { fileNameOf } from './rules.ts'
import { placeOf } from './stores/listing.ts'
import { openAlbumName } from './stores/rows.ts'
import type { MediaItemRow } from './tables.ts'

const atOnce = 100

/** Own items without those in the trash. */
export async function* exportGallery(
  context: MediaContext,
  accountId: string,
  signal: AbortSignal,
): AsyncIterable<ArchiveFile> {
  const keys = await context.vault.keyring(accountId)
  const albums = new Map((await context.albums.list(accountId)).map((row) => [row.id, openAlbumName(keys, row)]))
  const told: object[] = []
  for (let after: CursorKey | null = null; ; ) {
    const rows: MediaItemRow[] = await context.listing.list({ accountId }, after, atOnce)
    const items = await toItems(context, accountId, rows)
    for (const [at, row] of rows.entries()) {
      signal.throwIfAborted()
      const item = items[at] as MediaItem
      const file = archiveFile(context, row, item.title)
      const { mediaData: _address, thumbnail: _small, deletedAt: _never, albumIds, ...facts } = item
      const names = albumIds.flatMap((id) => albums.get(id) ?? [])
      told.push(Object.assign({ file: file.name, albums: names }, facts))
      yield file
    }
    const last = rows.at(-1)
    if (!last || rows.length < atOnce) break
    after = placeOf(last)
  }
  yield { name: 'gallery/index.json', modifiedAt: context.clock.now(), pack: true, content: jsonBytes(told) }
}

/** The file of an item, under a name that is its own. */
export const archiveFile = (context: MediaContext, row: MediaItemRow, title: string): ArchiveFile => {
  const [, end = ''] = /(\.\w+)$/.exec(fileNameOf('', row.kind, row.mime_type)) ?? []
  return {
    name: safeName(title, `gallery/${row.id.slice(-8)}`, end),
    modifiedAt: row.created_at,
    pack: false,
    content: read(context, row),
  }
}

async function* read({ files }: MediaContext, row: MediaItemRow): AsyncIterable<Uint8Array> {
  const file = await files.open(row.account_id, row.file_id)
  // Deleted meanwhile: what follows is missing, and the index says how long it should be.
  if (file) yield* readWhileThere(file)
}

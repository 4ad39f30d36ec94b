/** The bytes of items, and small pictures of them. Nothing in them can run: not even in a tab of their own. */
import type { mediaGalleryRoutes } from '@atrium/contract/media-gallery'
import type { BytesAnswer, Handlers } from '../../platform/http/area.ts'
import { mediaPolicy } from '../../platform/http/headers.ts'
import { fail } from '../../platform/http/refusal.ts'
import type { MediaContext } from './context.ts'
import { findLive } from './handlers.ts'
import { fileNameOf, hasThumbnail, isAllowedType, isOwnThumbnail } from './rules.ts'
import { openTitle } from './stores/rows.ts'
import type { MediaItemRow } from './tables.ts'

const maxAgeSeconds = 300

export const contentHandlers = (
  context: MediaContext,
): Handlers<Pick<typeof mediaGalleryRoutes, 'content' | 'thumbnail'>> => ({
  async content({ params, query }, { resource }) {
    const row = await findLive(context, resource.ownerId, params.mediaId)
    return await give(context, row, query.download === '1' ? 'attachment' : 'inline')
  },

  async thumbnail({ params }, { resource }) {
    const row = await context.items.readOwn(resource.ownerId, params.mediaId)
    if (!row || !hasThumbnail(row)) throw fail('media_not_found')
    if (isOwnThumbnail(row)) return await give(context, row, 'inline')
    const body = await context.files.open(row.account_id, row.thumbnail_file_id ?? '')
    if (!body) throw fail('media_not_found')
    const mediaType = row.thumbnail_type ?? 'image/webp'
    return {
      body,
      mediaType,
      fileName: fileNameOf('', 'image', mediaType),
      disposition: 'inline',
      policy: mediaPolicy,
      maxAgeSeconds,
    }
  },
})

const give = async (
  context: MediaContext,
  row: MediaItemRow,
  disposition: BytesAnswer['disposition'],
): Promise<BytesAnswer> => ({ ...(await openItem(context, row, disposition)), maxAgeSeconds })

/** The bytes of an item, for one look at them. Refuses with `media_not_found` and `media_type_not_allowed`. */
export const openItem = async (
  { files, vault }: MediaContext,
  row: MediaItemRow,
  disposition: BytesAnswer['disposition'],
): Promise<BytesAnswer> => {
  // What stands in a row is not trusted to be of the list.
  if (!isAllowedType(row.kind, row.mime_type)) throw fail('media_type_not_allowed')
  const body = await files.open(row.account_id, row.file_id)
  if (!body) throw fail('media_not_found')
  const title = openTitle(await vault.keyring(row.account_id), row)
  return {
    body,
    mediaType: row.mime_type,
    fileName: fileNameOf(title, row.kind, row.mime_type),
    disposition,
    policy: mediaPolicy,
  }
}

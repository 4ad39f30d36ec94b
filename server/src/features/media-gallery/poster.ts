/** Thumbnails that the page draws of what is not decoded here: a moment of a film. They are decoded and made anew. */
import { type mediaGalleryRoutes, maxPosterBytes } from '@atrium/contract/media-gallery'
import type { Handlers } from '../../platform/http/area.ts'
import { fail } from '../../platform/http/refusal.ts'
import { makeThumbnail } from '../../platform/pictures/index.ts'
import { announceItem, type MediaContext } from './context.ts'
import { findLive, toItem } from './handlers.ts'
import { hasThumbnail } from './rules.ts'

export const posterHandlers = (context: MediaContext): Handlers<Pick<typeof mediaGalleryRoutes, 'setPoster'>> => ({
  async setPoster({ params, file }, { resource: { ownerId: accountId }, signal }) {
    const { files, items } = context
    const before = await findLive(context, accountId, params.mediaId)
    if (before.kind === 'audio' || (before.kind === 'image' && hasThumbnail(before)))
      throw fail('conflict', 'This item already has a thumbnail.')
    const bytes = await file.bytes()
    if (bytes.byteLength > maxPosterBytes) throw fail('too_large')
    const made = await makeThumbnail(bytes, { signal })
    if ('failure' in made) throw fail('media_unsupported', 'Only PNG, JPEG and WebP images can be thumbnails.')
    const id = await files.save(accountId, made.bytes, { uncounted: true })
    const row = await items.setThumbnail(before, { id, mediaType: made.mediaType })
    const unused = row ? before.thumbnail_file_id : id
    if (unused !== null) await files.remove([unused])
    if (!row) throw fail('conflict')
    await announceItem(context, accountId, row.id)
    return await toItem(context, row)
  },
})

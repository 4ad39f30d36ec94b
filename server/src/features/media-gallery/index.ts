/**
 * The gallery of an account: pictures, films and sound that were made, and pictures to work from, sealed with the keys of
 * their owner. It refuses bytes that are of no type it shows, and to show anything of it to anybody else.
 */
import type { mediaGalleryArea, mediaGalleryRoutes, MediaItem } from '@atrium/contract/media-gallery'
import type { ResourcesOf } from '../../core/resources/index.ts'
import type { Handlers } from '../../platform/http/area.ts'
import { addItem, type NewItem } from './add.ts'
import { albumHandlers } from './albums.ts'
import { contentHandlers } from './content.ts'
import type { MediaContext, MediaGalleryDeps } from './context.ts'
import { itemHandlers } from './handlers.ts'
import { manyHandlers } from './many.ts'
import { mediaResources } from './resources.ts'
import { checkRoom } from './quota.ts'
import { posterHandlers } from './poster.ts'
import { createAlbumStore } from './stores/albums.ts'
import { createItemStore } from './stores/items.ts'
import { createListing } from './stores/listing.ts'
import { createSumStore } from './stores/sums.ts'
import { uploadHandlers } from './upload.ts'

export { mediaMigrations, mediaSealed } from './tables.ts'
export type { NewItem } from './add.ts'
export type { MediaGalleryDeps } from './context.ts'

export interface MediaGallery {
  readonly handlers: Handlers<typeof mediaGalleryRoutes>
  /** For the modules of the area that `area.ts` puts beside it. */
  readonly context: MediaContext
  readonly resources: ResourcesOf<typeof mediaGalleryArea>
  readonly api: {
    /**
     * Keeps what was made. Refuses with `media_type_not_allowed`, `too_large` and `storage_full`; then nothing of it is
     * kept.
     */
    addItem(accountId: string, item: NewItem): Promise<MediaItem>
    /** Refuses with `quota_full` where the gallery, or the account, is full: ask it before somebody is paid. */
    checkRoom(accountId: string): Promise<void>
  }
}

export const createMediaGallery = (deps: MediaGalleryDeps): MediaGallery => {
  const context: MediaContext = {
    ...deps,
    items: createItemStore(deps),
    listing: createListing(deps.database),
    albums: createAlbumStore(deps),
    sums: createSumStore(deps.database),
  }
  return {
    handlers: {
      ...itemHandlers(context),
      ...uploadHandlers(context),
      ...manyHandlers(context),
      ...contentHandlers(context),
      ...posterHandlers(context),
      ...albumHandlers(context),
    },
    context,
    resources: mediaResources(context),
    api: {
      addItem: (accountId, item) => addItem(context, accountId, item),
      checkRoom: (accountId) => checkRoom(context, accountId),
    },
  }
}

/** The context that the modules of the area share. */
import type { Platform } from '../../platform/platform.ts'
import type { AlbumStore } from './stores/albums.ts'
import type { ItemStore } from './stores/items.ts'
import type { Listing } from './stores/listing.ts'
import type { SumStore } from './stores/sums.ts'

export interface MediaGalleryDeps
  extends Pick<Platform, 'announce' | 'clock' | 'database' | 'files' | 'indexes' | 'log' | 'vault'> {
  /** What the gallery of one account may take; 0: as much as the account may keep at all. */
  readonly galleryQuotaBytes: number
  /** What one account may keep at all; 0: as much as there is room for. */
  readonly accountQuotaBytes: () => Promise<number>
}

export interface MediaContext extends MediaGalleryDeps {
  readonly items: ItemStore
  readonly listing: Listing
  readonly albums: AlbumStore
  readonly sums: SumStore
}

/** Tells the open pages of an account that an item of its gallery was added, changed, deleted or restored. */
export const announceItem = ({ announce }: MediaContext, accountId: string, id: string): Promise<void> =>
  announce(accountId, { type: 'media-changed', data: { id } })

/** Tells them that albums, or many items at once, changed. */
export const announceGallery = ({ announce }: MediaContext, accountId: string): Promise<void> =>
  announce(accountId, { type: 'gallery-changed', data: {} })

/** The context that the modules of the area share. */
import type { Platform } from '../../platform/platform.ts'
import type { ItemStore } from './stores/items.ts'
import type { SumStore } from './stores/sums.ts'

export type MediaGalleryDeps = Pick<Platform, 'announce' | 'clock' | 'database' | 'files' | 'indexes' | 'log' | 'vault'>

export interface MediaContext extends MediaGalleryDeps {
  readonly items: ItemStore
  readonly sums: SumStore
}

/** Tells the open pages of an account that an item of its gallery was added, changed, deleted or restored. */
export const announceItem = ({ announce }: MediaContext, accountId: string, id: string): Promise<void> =>
  announce(accountId, { type: 'media-changed', data: { id } })

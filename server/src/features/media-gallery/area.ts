/** The area of the gallery, as `compose()` creates it. */
import { mediaGalleryArea } from '@atrium/contract/media-gallery'
import type { Settings } from '../../core/settings/index.ts'
import { defineArea } from '../../platform/areas/define-area.ts'
import { createMediaGallery, mediaMigrations, mediaSealed } from './index.ts'
import { mediaSettings } from './settings.ts'

export const mediaGallery = defineArea(mediaGalleryArea)<{ settings: Settings }>()({
  needs: ['settings'],
  migrations: mediaMigrations,
  sealed: mediaSealed,
  settings: mediaSettings,
  create: (platform, { settings }, { MEDIA_QUOTA_MB }) =>
    createMediaGallery({
      ...platform,
      galleryQuotaBytes: (MEDIA_QUOTA_MB ?? 0) * 1_000_000,
      accountQuotaBytes: async () => (await settings.instance()).storageQuotaBytes.value,
    }),
})

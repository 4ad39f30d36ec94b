/** The area of the gallery, as `compose()` creates it. */
import { mediaGalleryArea } from '@atrium/contract/media-gallery'
import { defineArea } from '../../platform/areas/define-area.ts'
import { createMediaGallery, mediaMigrations, mediaSealed } from './index.ts'

export const mediaGallery = defineArea(mediaGalleryArea)()({
  needs: [],
  migrations: mediaMigrations,
  sealed: mediaSealed,
  create: (platform) => createMediaGallery(platform),
})

/** An item of the gallery, for the tests over every kind of resource. */
import { type mediaGalleryArea, mediaGalleryRoutes } from '@atrium/contract/media-gallery'
import { samplePng } from '../../testing/sample-pictures.ts'
import { idsOf, outcomeOf, type SamplesOf } from '../../testing/samples.ts'

export const samples: SamplesOf<typeof mediaGalleryArea> = {
  media: {
    make: async (owner, word) => {
      const file = new Blob([samplePng(4, 3)], { type: 'image/png' })
      return (await owner.call(mediaGalleryRoutes.upload, { query: { name: `The ${word}.png` }, file })).id
    },
    list: async (client) => idsOf((await client.call(mediaGalleryRoutes.list, {})).items),
    read: (client, id) => outcomeOf(client, mediaGalleryRoutes.read, { params: { mediaId: id } }),
    missing: 'media_not_found',
    remove: (owner, id) => owner.call(mediaGalleryRoutes.remove, { params: { mediaId: id } }),
  },
}

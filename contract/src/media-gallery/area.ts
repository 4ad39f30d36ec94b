/** What the rest of the product derives from this area: its error codes, events, scopes and kinds. */
import { z } from 'zod'
import { describeArea } from '../description.ts'

export const mediaGalleryDescription = describeArea({
  name: 'media-gallery',
  tag: 'media-gallery',
  errors: {
    media_not_found: [404, 'This item isn’t in your gallery.'],
    album_not_found: [404, 'Album not found.'],
    album_limit: [409, 'You can have at most 200 albums.'],
    media_unsupported: [415, 'Only PNG, JPEG, WebP, GIF and AVIF images can be uploaded.'],
    media_damaged: [422, 'This image is damaged or incomplete.'],
    media_too_complex: [422, 'This image has too many pixels to be shown. Make it smaller and upload it again.'],
    media_moderated: [
      422,
      'The provider withheld the result because of its content rules. Change the prompt and try again.',
    ],
    media_stopped: [409, 'This was stopped before it was done.'],
    media_job_ended: [409, 'This has already ended.'],
    media_type_not_allowed: [422, 'This type of file can’t be shown. Delete the item.'],
  },
  events: {
    /** Of a job that began, went on or ended. */
    'media-job-changed': z.strictObject({
      id: z.string(),
      status: z.string(),
      progress: z.number().min(0).max(1).nullable(),
      /** Where the picture lies as far as it is. */
      partial: z.string().optional(),
    }),
    /** Of an item that was added, changed, deleted or restored. */
    'media-changed': z.strictObject({ id: z.string() }),
    /** Albums, or many items at once. */
    'gallery-changed': z.strictObject({}),
  },
  jobs: ['media-gallery.collect'],
  scopes: ['read', 'write'],
  resources: {
    media: { shared: true, private: true, found: true, trashed: true, stored: true, counted: 'gallery' },
  },
})

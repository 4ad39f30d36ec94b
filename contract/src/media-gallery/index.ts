/** The gallery: pictures, films and sound of an account, made or uploaded. */
import { z } from 'zod'
import { area } from '../area.ts'
import { Id, Nothing, PageQuery, Time, page } from '../common.ts'
import { bytes, routes } from '../route.ts'
import { mediaGalleryDescription } from './area.ts'
import { albumRoutes } from './albums.ts'
import {
  MediaAlbum,
  MediaItem,
  MediaKind,
  MediaStorage,
  maxPosterBytes,
  maxUploadBytes,
  mostAlbums,
  mostAltLetters,
  mostAtOnce,
  mostQueryLetters,
  mostTitleLetters,
} from './shapes.ts'
import { imageGenRoutes } from './image-gen.ts'
import { MediaJob, VideoJob } from './jobs.ts'
import { ImageEditForm, ImageWish, SoundWish, SpeechWish, VideoWish } from './making.ts'
import { mediaMakingRoutes } from './making-routes.ts'

export * from './jobs.ts'
export * from './making.ts'
export { type ImageGenItem, imageGenRoutes } from './image-gen.ts'
export { maxEditBytes, mediaMakingRoutes } from './making-routes.ts'
export * from './shapes.ts'

const ById = z.strictObject({ mediaId: Id })
/** In an address: `true` or `false`. */
const Flag = z.enum(['true', 'false']).transform((said) => said === 'true')

/** What a list is narrowed to, and what is packed. */
const Narrowed = z.strictObject({
  kind: MediaKind.optional(),
  model: z.string().min(1).max(200).optional(),
  /** What a job made. */
  jobId: Id.optional(),
  favourite: Flag.optional(),
  albumId: Id.optional(),
  from: Time.optional(),
  /** Left out itself. */
  to: Time.optional(),
})

const readable = { resource: 'media', id: 'mediaId', right: 'read' } as const
const owned = { resource: 'media', id: 'mediaId', right: 'owner' } as const

const itemRoutes = routes({
  list: {
    method: 'get',
    path: '/api/media/gallery',
    access: 'user',
    limit: 'gallery',
    summary:
      'List your gallery, newest first, without files. `q` searches titles, prompts and album names; `from` and `to` limit creation times; `trash=true` lists deleted items',
    query: PageQuery.extend(Narrowed.shape).extend({
      q: z.string().trim().max(mostQueryLetters).optional(),
      /** `album`: the order of the album; only with `albumId`. */
      sort: z.enum(['newest', 'oldest', 'album']).default('newest'),
      trash: Flag.optional(),
    }),
    returns: page(MediaItem),
    errors: ['bad_cursor', 'album_not_found'],
  },
  upload: {
    method: 'post',
    path: '/api/media/gallery/upload',
    access: 'user',
    limit: 'upload',
    summary: 'Upload an image, raw. Location and camera data are removed',
    query: z.strictObject({ name: z.string().trim().min(1).max(255) }),
    upload: { maxBytes: maxUploadBytes },
    returns: MediaItem,
    errors: ['media_unsupported', 'media_damaged', 'media_too_complex', 'too_large', 'quota_full', 'storage_full'],
  },
  storage: {
    method: 'get',
    path: '/api/media/storage',
    access: 'user',
    summary: 'Get the storage your gallery uses by kind, and its limit',
    returns: MediaStorage,
  },
  batch: {
    method: 'post',
    path: '/api/media/gallery/batch',
    access: 'user',
    summary: 'Update many of your items at once: favourite, albums, delete or restore. Unknown ids are reported',
    body: z.strictObject({
      mediaIds: z.array(Id).min(1).max(mostAtOnce),
      favourite: z.boolean().optional(),
      addToAlbumId: Id.optional(),
      removeFromAlbumId: Id.optional(),
      /** false: brings back from the trash. */
      deleted: z.boolean().optional(),
    }),
    returns: z.strictObject({ changed: z.array(Id), missing: z.array(Id) }),
    errors: ['album_not_found'],
  },
  archive: {
    method: 'get',
    path: '/api/media/gallery/archive',
    access: 'user',
    limit: 'gallery',
    noStore: true,
    summary: 'Download your items as a zip: those with the given comma-separated ids, or all that match the query',
    query: Narrowed.extend({ ids: z.string().min(1).max(12_000).optional() }),
    returns: bytes,
    errors: ['media_not_found', 'album_not_found', 'too_large'],
  },
  read: {
    method: 'get',
    path: '/api/media/gallery/{mediaId}',
    access: 'user',
    names: readable,
    summary: 'Get an item of your gallery',
    params: ById,
    returns: MediaItem,
    errors: ['media_not_found'],
  },
  update: {
    method: 'patch',
    path: '/api/media/gallery/{mediaId}',
    access: 'user',
    names: owned,
    summary: 'Update your item: its title, description, favourite state, or exactly which albums it is in',
    params: ById,
    body: z.strictObject({
      title: z.string().trim().min(1).max(mostTitleLetters).optional(),
      alt: z.string().trim().max(mostAltLetters).optional(),
      favourite: z.boolean().optional(),
      albumIds: z.array(Id).max(mostAlbums).optional(),
    }),
    returns: MediaItem,
    errors: ['media_not_found', 'right_missing', 'album_not_found'],
  },
  remove: {
    method: 'delete',
    path: '/api/media/gallery/{mediaId}',
    access: 'user',
    names: owned,
    limit: 'gallery',
    summary: 'Delete your item. You can restore it for 30 days',
    params: ById,
    returns: Nothing,
    errors: ['media_not_found', 'right_missing'],
  },
  content: {
    method: 'get',
    path: '/api/media/gallery/{mediaId}/content',
    access: 'user',
    names: readable,
    limit: 'gallery',
    summary:
      'Download your item’s file. Supports one `Range` at a time; `download=1` sends it as an attachment with a file name',
    params: ById,
    query: z.strictObject({ download: z.enum(['0', '1']).default('0') }),
    returns: bytes,
    errors: ['media_not_found', 'media_type_not_allowed', 'range_not_satisfiable'],
  },
  derived: {
    method: 'get',
    path: '/api/media/gallery/{mediaId}/derived',
    access: 'user',
    names: readable,
    summary: 'List what was made from an item, newest first',
    params: ById,
    query: PageQuery,
    returns: page(MediaItem),
    errors: ['media_not_found', 'bad_cursor'],
  },
  thumbnail: {
    method: 'get',
    path: '/api/media/gallery/{mediaId}/thumbnail',
    access: 'user',
    names: readable,
    limit: 'thumbnail',
    summary: 'Get a thumbnail of your item, even in the trash',
    params: ById,
    returns: bytes,
    errors: ['media_not_found', 'media_type_not_allowed'],
  },
  setPoster: {
    method: 'put',
    path: '/api/media/gallery/{mediaId}/poster',
    access: 'user',
    names: owned,
    limit: 'upload',
    summary:
      'Set the thumbnail of your video, or of an image without one: a PNG, JPEG or WebP, sent raw and scaled down',
    params: ById,
    upload: { maxBytes: maxPosterBytes },
    returns: MediaItem,
    errors: ['media_not_found', 'right_missing', 'media_unsupported', 'conflict', 'too_large', 'storage_full'],
  },
})

export const mediaGalleryRoutes = { ...itemRoutes, ...albumRoutes } as const

export const mediaGalleryArea = area(mediaGalleryDescription, {
  routes: { ...mediaGalleryRoutes, ...mediaMakingRoutes, ...imageGenRoutes },
  shapes: {
    ImageEditForm,
    ImageWish,
    MediaAlbum,
    MediaItem,
    MediaJob,
    MediaStorage,
    SoundWish,
    SpeechWish,
    VideoJob,
    VideoWish,
  },
})

/** The gallery: pictures, films and sound of an account, made or uploaded. */
import { z } from 'zod'
import { area } from '../area.ts'
import { Id, Nothing, PageQuery, Time, page } from '../common.ts'
import { bytes, routes } from '../route.ts'
import { mediaGalleryDescription } from './area.ts'
import { MediaItem, MediaKind, maxUploadBytes, mostAltLetters, mostQueryLetters, mostTitleLetters } from './shapes.ts'

export * from './shapes.ts'

const ById = z.strictObject({ mediaId: Id })
/** In an address: `true` or `false`. */
const Flag = z.enum(['true', 'false']).transform((said) => said === 'true')

export const mediaGalleryRoutes = routes({
  list: {
    method: 'get',
    path: '/api/media/gallery',
    access: 'user',
    limit: 'gallery',
    summary:
      'The own gallery, newest first, without bytes. `q` looks in titles and prompts; `from` and `to` are times of creation; `trash=true` lists what is deleted',
    query: PageQuery.extend({
      kind: MediaKind.optional(),
      q: z.string().trim().max(mostQueryLetters).optional(),
      model: z.string().min(1).max(200).optional(),
      favourite: Flag.optional(),
      from: Time.optional(),
      /** Left out itself. */
      to: Time.optional(),
      sort: z.enum(['newest', 'oldest']).default('newest'),
      trash: Flag.optional(),
    }),
    returns: page(MediaItem),
    errors: ['bad_cursor'],
  },
  upload: {
    method: 'post',
    path: '/api/media/gallery/upload',
    access: 'user',
    limit: 'upload',
    summary: 'Upload an own picture, raw; what it tells about place and camera is taken out',
    query: z.strictObject({ name: z.string().trim().min(1).max(255) }),
    upload: { maxBytes: maxUploadBytes },
    returns: MediaItem,
    errors: ['media_unsupported', 'media_damaged', 'media_too_complex', 'too_large', 'quota_full', 'storage_full'],
  },
  read: {
    method: 'get',
    path: '/api/media/gallery/{mediaId}',
    access: 'user',
    names: 'own',
    summary: 'One item of the own gallery',
    params: ById,
    returns: MediaItem,
    errors: ['media_not_found'],
  },
  update: {
    method: 'patch',
    path: '/api/media/gallery/{mediaId}',
    access: 'user',
    names: 'own',
    summary: 'Rename an own item, describe it, or make it a favourite',
    params: ById,
    body: z.strictObject({
      title: z.string().trim().min(1).max(mostTitleLetters).optional(),
      alt: z.string().trim().max(mostAltLetters).optional(),
      favourite: z.boolean().optional(),
    }),
    returns: MediaItem,
    errors: ['media_not_found'],
  },
  remove: {
    method: 'delete',
    path: '/api/media/gallery/{mediaId}',
    access: 'user',
    names: 'own',
    limit: 'gallery',
    summary: 'Delete an own item. It can be restored for 30 days',
    params: ById,
    returns: Nothing,
    errors: ['media_not_found'],
  },
  content: {
    method: 'get',
    path: '/api/media/gallery/{mediaId}/content',
    access: 'user',
    names: 'own',
    limit: 'gallery',
    summary: 'The bytes of an own item; one `Range` at a time. `download=1` gives them as a file with a name',
    params: ById,
    query: z.strictObject({ download: z.enum(['0', '1']).default('0') }),
    returns: bytes,
    errors: ['media_not_found', 'media_type_not_allowed', 'range_not_satisfiable'],
  },
  thumbnail: {
    method: 'get',
    path: '/api/media/gallery/{mediaId}/thumbnail',
    access: 'user',
    names: 'own',
    limit: 'thumbnail',
    summary: 'A small picture of an own item, in the trash too',
    params: ById,
    returns: bytes,
    errors: ['media_not_found', 'media_type_not_allowed'],
  },
})

export const mediaGalleryArea = area(mediaGalleryDescription, {
  routes: mediaGalleryRoutes,
  shapes: { MediaItem },
})

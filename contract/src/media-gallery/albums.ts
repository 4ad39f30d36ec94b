/** Routes of albums. */
import { z } from 'zod'
import { Id, Nothing } from '../common.ts'
import { routes } from '../route.ts'
import { MediaAlbum, mostAlbumNameLetters, mostAlbums, mostAtOnce } from './shapes.ts'

const ByAlbum = z.strictObject({ albumId: Id })
const AlbumName = z.string().trim().min(1).max(mostAlbumNameLetters)
const MediaIds = z.array(Id).min(1).max(mostAtOnce)

export const albumRoutes = routes({
  albums: {
    method: 'get',
    path: '/api/media/albums',
    access: 'user',
    summary: 'List your albums in their order',
    returns: z.strictObject({ items: z.array(MediaAlbum), nextCursor: z.null() }),
  },
  createAlbum: {
    method: 'post',
    path: '/api/media/albums',
    access: 'user',
    summary: 'Create an album at the end of your list, with your items if you give their ids',
    body: z.strictObject({ name: AlbumName, mediaIds: MediaIds.optional() }),
    returns: MediaAlbum,
    errors: ['album_limit', 'media_not_found'],
  },
  orderAlbums: {
    method: 'put',
    path: '/api/media/albums/order',
    access: 'user',
    summary: 'Reorder your albums. Albums you leave out follow in their current order',
    body: z.strictObject({ albumIds: z.array(Id).min(1).max(mostAlbums) }),
    returns: Nothing,
    errors: ['album_not_found'],
  },
  readAlbum: {
    method: 'get',
    path: '/api/media/albums/{albumId}',
    access: 'user',
    names: 'own',
    summary: 'Get one of your albums. List its items from the gallery with `albumId` and `sort=album`',
    params: ByAlbum,
    returns: MediaAlbum,
    errors: ['album_not_found'],
  },
  updateAlbum: {
    method: 'patch',
    path: '/api/media/albums/{albumId}',
    access: 'user',
    names: 'own',
    summary: 'Rename your album or choose its cover item; null for the first item',
    params: ByAlbum,
    body: z.strictObject({ name: AlbumName.optional(), coverId: Id.nullable().optional() }),
    returns: MediaAlbum,
    errors: ['album_not_found', 'media_not_found'],
  },
  removeAlbum: {
    method: 'delete',
    path: '/api/media/albums/{albumId}',
    access: 'user',
    names: 'own',
    summary: 'Delete your album. Its items stay in the gallery',
    params: ByAlbum,
    returns: Nothing,
    errors: ['album_not_found'],
  },
  placeInAlbum: {
    method: 'post',
    path: '/api/media/albums/{albumId}/items',
    access: 'user',
    names: 'own',
    summary:
      'Add your items to your album in this order, before another item or at the end. Items already in it are moved',
    params: ByAlbum,
    body: z.strictObject({ mediaIds: MediaIds, before: Id.nullable().optional() }),
    returns: MediaAlbum,
    errors: ['album_not_found', 'media_not_found'],
  },
  takeFromAlbum: {
    method: 'post',
    path: '/api/media/albums/{albumId}/items/remove',
    access: 'user',
    names: 'own',
    summary: 'Remove items from your album. They stay in the gallery',
    params: ByAlbum,
    body: z.strictObject({ mediaIds: MediaIds }),
    returns: MediaAlbum,
    errors: ['album_not_found'],
  },
})

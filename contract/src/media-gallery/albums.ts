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
    summary: 'The own albums in their order',
    returns: z.strictObject({ items: z.array(MediaAlbum), nextCursor: z.null() }),
  },
  createAlbum: {
    method: 'post',
    path: '/api/media/albums',
    access: 'user',
    summary: 'Make an album, the last in the order; with own items, where ids are given',
    body: z.strictObject({ name: AlbumName, mediaIds: MediaIds.optional() }),
    returns: MediaAlbum,
    errors: ['album_limit', 'media_not_found'],
  },
  orderAlbums: {
    method: 'put',
    path: '/api/media/albums/order',
    access: 'user',
    summary: 'Put the own albums into this order; those that are not named follow as they were',
    body: z.strictObject({ albumIds: z.array(Id).min(1).max(mostAlbums) }),
    returns: Nothing,
    errors: ['album_not_found'],
  },
  readAlbum: {
    method: 'get',
    path: '/api/media/albums/{albumId}',
    access: 'user',
    names: 'own',
    summary: 'One own album; its items are those of the gallery with `albumId` and `sort=album`',
    params: ByAlbum,
    returns: MediaAlbum,
    errors: ['album_not_found'],
  },
  updateAlbum: {
    method: 'patch',
    path: '/api/media/albums/{albumId}',
    access: 'user',
    names: 'own',
    summary: 'Rename an own album, or choose the item in it that stands for it; null for the first',
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
    summary: 'Remove an own album; its items stay in the gallery',
    params: ByAlbum,
    returns: Nothing,
    errors: ['album_not_found'],
  },
  placeInAlbum: {
    method: 'post',
    path: '/api/media/albums/{albumId}/items',
    access: 'user',
    names: 'own',
    summary: 'Put own items into an own album, in this order, before another one or at the end; those in it are moved',
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
    summary: 'Take items out of an own album; they stay in the gallery',
    params: ByAlbum,
    body: z.strictObject({ mediaIds: MediaIds }),
    returns: MediaAlbum,
    errors: ['album_not_found'],
  },
})

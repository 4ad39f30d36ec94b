/** What can be done with items, and how the lists follow what happens here and elsewhere. */
import { mediaGalleryRoutes as routes, type MediaItem } from '@atrium/contract/media-gallery'
import { trashRoutes } from '@atrium/contract/trash'
import { onAccountEvent } from '../../api/account-events.ts'
import { call } from '../../api/client.ts'
import { wordsOf } from '../../api/errors.ts'
import { refresh } from '../../api/query.ts'
import { translate } from 'virtual:words/media-gallery'
import { toast } from '../../ui/toaster.tsx'

export const refreshGallery = async (): Promise<void> => {
  await Promise.all([refresh(routes.list), refresh(routes.read), refresh(routes.albums), refresh(routes.derived)])
}

onAccountEvent('media-changed', () => void refreshGallery())
onAccountEvent('gallery-changed', () => void refreshGallery())

/** Uploads pictures one after the other; says of each that could not be taken why. */
export async function uploadImages(files: readonly File[]): Promise<void> {
  for (const file of files) {
    try {
      await call(routes.upload, { query: { name: file.name || 'image' }, file })
    } catch (error) {
      toast(wordsOf(error), { tone: 'danger' })
    }
  }
  await refreshGallery()
}

/** Moves items to the trash, with ten seconds to take them back. */
export async function removeItems(items: readonly Pick<MediaItem, 'id' | 'title'>[]): Promise<void> {
  const mediaIds = items.map(({ id }) => id)
  const [first] = items
  if (!first) return
  const undo = () => tryChange(() => call(routes.batch, { body: { mediaIds, deleted: false } }))
  await tryChange(async () => {
    await call(routes.batch, { body: { mediaIds, deleted: true } })
    const text =
      items.length === 1
        ? translate('media-gallery:removed', { title: first.title })
        : translate('media-gallery:removedMany', { count: items.length })
    toast(text, { action: { label: translate('media-gallery:undo'), onClick: () => void undo() } })
  })
}

export const setFavourite = (items: readonly MediaItem[], favourite: boolean): Promise<void> =>
  tryChange(() => call(routes.batch, { body: { mediaIds: items.map(({ id }) => id), favourite } }))

export const setInAlbum = (items: readonly MediaItem[], albumId: string, isIn: boolean): Promise<void> =>
  tryChange(() =>
    call(routes.batch, {
      body: {
        mediaIds: items.map(({ id }) => id),
        ...(isIn ? { addToAlbumId: albumId } : { removeFromAlbumId: albumId }),
      },
    }),
  )

/** Throws `Problem`: whoever asks for the name shows why. */
export async function createAlbum(name: string, items: readonly MediaItem[]): Promise<void> {
  const mediaIds = items.map(({ id }) => id)
  await call(routes.createAlbum, { body: { name, ...(mediaIds.length > 0 ? { mediaIds } : {}) } })
  await refreshGallery()
}

export const renameAlbum = async (albumId: string, name: string): Promise<void> => {
  await call(routes.updateAlbum, { params: { albumId }, body: { name } })
  await refreshGallery()
}

export const removeAlbum = (albumId: string): Promise<void> =>
  tryChange(() => call(routes.removeAlbum, { params: { albumId } }))

/** Throws `Problem`. */
export async function describeItem(mediaId: string, change: { title?: string; alt?: string }): Promise<void> {
  await call(routes.update, { params: { mediaId }, body: change })
  await refreshGallery()
}

/** Does something, tells why where that failed, and reads the lists again. */
async function tryChange(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    toast(wordsOf(error), { tone: 'danger' })
  }
  await Promise.all([refreshGallery(), refresh(trashRoutes.list)])
}

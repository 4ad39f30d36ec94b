/** What can be done with items, and how the list follows what happens here and elsewhere. */
import { mediaGalleryRoutes, type MediaItem } from '@atrium/contract/media-gallery'
import { trashRoutes } from '@atrium/contract/trash'
import { onAccountEvent } from '../../api/account-events.ts'
import { call } from '../../api/client.ts'
import { wordsOf } from '../../api/errors.ts'
import { refresh } from '../../api/query.ts'
import { translate } from '../../lib/texts.ts'
import { toast } from '../../ui/toaster.tsx'

export const refreshGallery = (): Promise<void> => refresh(mediaGalleryRoutes.list)

onAccountEvent('media-changed', () => void refreshGallery())
onAccountEvent('gallery-changed', () => void refreshGallery())

/** Uploads pictures one after the other; says of each that could not be taken why. */
export async function uploadImages(files: readonly File[]): Promise<void> {
  for (const file of files) {
    try {
      await call(mediaGalleryRoutes.upload, { query: { name: file.name || 'image' }, file })
    } catch (error) {
      toast(wordsOf(error), { tone: 'danger' })
    }
  }
  await refreshGallery()
}

/** Moves one to the trash, with ten seconds to take it back. */
export async function removeItem({ id, title }: MediaItem): Promise<void> {
  const undo = () => act(() => call(trashRoutes.restore, { params: { id } }))
  await act(async () => {
    await call(mediaGalleryRoutes.remove, { params: { mediaId: id } })
    toast(translate('media-gallery:removed', { title }), {
      action: { label: translate('media-gallery:undo'), onClick: () => void undo() },
    })
  })
}

/** Does something, tells why where that failed, and reads the lists again. */
async function act(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    toast(wordsOf(error), { tone: 'danger' })
  }
  await Promise.all([refreshGallery(), refresh(trashRoutes.list)])
}

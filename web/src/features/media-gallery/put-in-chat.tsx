import { type MediaItem, mediaGalleryRoutes as routes } from '@atrium/contract/media-gallery'
import { useNavigate } from '@tanstack/react-router'
import { MessageSquarePlus } from 'lucide-react'
import { useState } from 'react'
import { useMe } from '../../api/account.ts'
import { call } from '../../api/client.ts'
import { wordsOf } from '../../api/errors.ts'
import { draftOf } from '../../blocks/composer/draft.ts'
import { titleToFileName } from '../../lib/file-name.ts'
import { links } from '../../lib/links.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { toast } from '../../ui/toaster.tsx'
import { useText } from 'virtual:words/media-gallery'

/** Begins a message with a copy of a picture in a new chat; what was typed there stays. */
export function PutInChat({ item }: { item: MediaItem }) {
  const t = useText('media-gallery')
  const me = useMe()
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  // AVIF is the one kind of picture that messages do not take.
  if (item.kind !== 'image' || item.mimeType === 'image/avif') return null
  const put = async () => {
    setBusy(true)
    try {
      const bytes = await call(routes.content, { params: { mediaId: item.id }, query: {} })
      const type = item.mimeType
      const ending = type === 'image/jpeg' ? 'jpg' : type.slice('image/'.length)
      const name = `${titleToFileName(item.title, 'image')}.${ending}`
      draftOf(me.id, null).attach([new File([bytes], name, { type })], undefined, 'attachment')
      await navigate({ to: links.newChat() })
    } catch (error) {
      toast(wordsOf(error), { tone: 'danger' })
      setBusy(false)
    }
  }
  return <IconButton label={t('putInChat')} icon={<MessageSquarePlus />} disabled={busy} onClick={() => void put()} />
}

/** Pictures of an answer: those that its model drew, also while they come. Fetched with the first of them. */
import type { Attachment, Message } from '@atrium/contract/chat'
import { ImageOff } from 'lucide-react'
import { useState } from 'react'
import { attachmentUrl } from '../../../blocks/attachment-url.ts'
import { classNames } from '../../../lib/class-names.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { useText } from 'virtual:words/chat-media'
import { useThread } from '../thread/context.ts'
import type { LivePicture } from '../open/conversation.ts'
import { PictureActions } from './picture-actions.tsx'

interface DrawingsProps {
  readonly pictures: readonly LivePicture[]
  /** The answer, where it stands. */
  readonly message?: Message | undefined
  /** How many pictures of it could not be kept. */
  readonly lost: number
}

export function Drawings({ pictures, message, lost }: DrawingsProps) {
  const t = useText('chat-media')
  return (
    <>
      {pictures.length > 0 && <Kept pictures={pictures} message={message} />}
      {lost > 0 && (
        <p className="mt-2 flex items-start gap-2 text-sm text-warn-ink">
          <ImageOff aria-hidden className="mt-0.5 size-4 shrink-0" />
          {t('lost', { count: lost })}
        </p>
      )}
    </>
  )
}

function Kept({ pictures, message }: Omit<DrawingsProps, 'lost'>) {
  const t = useText('chat-media')
  const { chat, ownerName } = useThread()
  const urlOf = ({ id }: Attachment) => attachmentUrl(id, ownerName === null ? undefined : chat.id)
  const [large, setLarge] = useState<Attachment | null>(null)
  return (
    <ul
      aria-label={t('pictures')}
      className={classNames('mt-3 gap-3', pictures.length > 1 ? 'grid max-w-2xl grid-cols-2' : 'flex flex-wrap')}
    >
      {pictures.map(({ attachment, partial }, place) => (
        <li key={place} className="max-w-full min-w-0">
          <button
            type="button"
            aria-label={t('enlarge', { name: attachment.name })}
            aria-busy={partial || undefined}
            onClick={() => setLarge(attachment)}
            className="block min-h-8 max-w-full min-w-8 overflow-hidden rounded-lg border border-line"
          >
            <img
              src={urlOf(attachment)}
              alt={attachment.name}
              {...boxOf(attachment)}
              className={classNames('h-auto max-w-full object-cover', partial && 'opacity-70')}
            />
          </button>
          {message && ownerName === null && <PictureActions message={message} attachment={attachment} />}
          {partial && <p className="mt-1 animate-pulse text-sm text-muted">{t('drawing')}</p>}
        </li>
      ))}
      {large && (
        <Dialog open onOpenChange={() => setLarge(null)} title={large.name} width="wide">
          <img src={urlOf(large)} alt={large.name} className="mx-auto max-h-[68dvh] rounded-md" />
        </Dialog>
      )}
    </ul>
  )
}

/** So that nothing jumps when they arrive. */
function boxOf({ width, height }: Attachment): { width: number; height: number } {
  if (!width || !height) return { width: 384, height: 384 }
  const scale = Math.min(1, 448 / width, 448 / height)
  return { width: Math.round(width * scale), height: Math.round(height * scale) }
}

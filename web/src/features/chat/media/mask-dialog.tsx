import { type Attachment, chatRoutes } from '@atrium/contract/chat'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { failureOf } from '../../../api/errors.ts'
import { attachmentUrl } from '../../../blocks/attachment-url.ts'
import { maskOf } from '../../../blocks/picture-mask/draw-mask.ts'
import { MaskTools } from '../../../blocks/picture-mask/mask-tools.tsx'
import type { Size } from '../../../blocks/picture-mask/mask.ts'
import { MaskedPicture } from '../../../blocks/picture-mask/masked-picture.tsx'
import { useMask } from '../../../blocks/picture-mask/use-mask.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { useText } from 'virtual:words/chat-media'

/** Lets the part of a picture be painted over that is drawn anew, and gives it as a mask that is uploaded. */
export function MaskDialog({
  picture,
  onDone,
  onClose,
}: {
  picture: Attachment
  onDone: (mask: Attachment) => void
  onClose: () => void
}) {
  const t = useText('chat-media')
  const [size, setSize] = useState<Size | null>(null)
  const mask = useMask(size, true)
  const upload = useMutation({
    mutationFn: async (of: Size) =>
      await call(chatRoutes.attach, { query: { name: t('mask.fileName') }, file: await maskOf(mask.marks, of) }),
    onSuccess: onDone,
  })
  const failure = failureOf(upload.error)
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('mask.title')}
      description={t('mask.hint')}
      width="wide"
      footer={
        <>
          <Button onClick={onClose}>{t('mask.cancel')}</Button>
          <Button
            tone="primary"
            busy={upload.isPending}
            disabled={size === null || mask.marks.length === 0}
            onClick={() => size && upload.mutate(size)}
          >
            {t('mask.done')}
          </Button>
        </>
      }
    >
      <div className="flex gap-4 max-tab:flex-col">
        <div className="h-[45dvh] min-w-0 rounded-md bg-sunken p-2 max-tab:h-[38dvh] tab:flex-1">
          <MaskedPicture src={attachmentUrl(picture.id)} alt={picture.name} size={size} onSize={setSize} mask={mask} />
        </div>
        <div className="tab:w-64">
          {size && <MaskTools size={size} mask={mask} />}
          {failure && <ErrorCard className="mt-3" title={failure.title} details={failure.details} />}
        </div>
      </div>
    </Dialog>
  )
}

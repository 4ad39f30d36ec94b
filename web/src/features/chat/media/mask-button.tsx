import type { MediaModel } from '@atrium/contract/media-gallery'
import { Brush, X } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useStore } from 'zustand'
import type { DraftBox } from '../../../blocks/composer/draft.ts'
import { takesMask } from '../../../blocks/media-choices/choices.ts'
import { sourcesOf } from '../../../blocks/media-models.ts'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { useText } from 'virtual:words/chat-media'
import { type MakeMode, setMakeMode } from './make-mode.ts'

const MaskDialog = lazy(() => import('./mask-dialog.tsx').then((module) => ({ default: module.MaskDialog })))

/** The way to change only a part of the first picture in the box, where the model can. */
export function MaskButton({
  chatId,
  mode,
  model,
  draft,
}: {
  chatId: string
  mode: MakeMode
  model: MediaModel
  draft: DraftBox
}) {
  const t = useText('chat-media')
  const [isOpen, setOpen] = useState(false)
  const chips = useStore(draft.store, (state) => state.chips)
  const picture = chips.find(({ attachment }) => attachment?.kind === 'image')?.attachment
  if (!picture || mode.kind !== 'image' || !takesMask(model) || sourcesOf(model) === 0) return null
  const isMarked = mode.mask?.sourceId === picture.id
  return (
    <span className="inline-flex items-center max-tab:col-span-2">
      <Button size="small" icon={<Brush className="size-3.5" />} onClick={() => setOpen(true)}>
        {t(isMarked ? 'mask.again' : 'mask.mark')}
      </Button>
      {isMarked && (
        <IconButton
          label={t('mask.remove')}
          icon={<X />}
          size="small"
          onClick={() => setMakeMode(chatId, { kind: mode.kind, model: mode.model })}
        />
      )}
      {isOpen && (
        <Suspense>
          <MaskDialog
            picture={picture}
            onClose={() => setOpen(false)}
            onDone={(attachment) => {
              setMakeMode(chatId, { kind: mode.kind, model: mode.model, mask: { sourceId: picture.id, attachment } })
              setOpen(false)
            }}
          />
        </Suspense>
      )}
    </span>
  )
}

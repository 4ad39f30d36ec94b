import type { MadeKind } from '@atrium/contract/chat'
import type { MediaModels } from '@atrium/contract/media-gallery'
import { Volume2, Film, ImagePlus, X } from 'lucide-react'
import { mediaModelKey } from '../../../blocks/media-models.ts'
import { useMediaWords } from '../../../blocks/media-words/media-words.ts'
import { useAction } from '../../../lib/actions.ts'
import { announce } from '../../../lib/announce.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Select } from '../../../ui/select.tsx'
import { useText } from 'virtual:words/chat-media'
import { type MakeMode, modelOf, setMakeMode, useMakeMode } from './make-mode.ts'

const icons = { image: ImagePlus, video: Film, speech: Volume2 } as const

/** The button for pictures, and the commands for all that can be made here. */
export function MakeButton({ chatId, models }: { chatId: string; models: MediaModels }) {
  const t = useText('chat-media')
  const mode = useMakeMode(chatId)
  const turn = (kind: MadeKind) => {
    const next = mode?.kind === kind ? null : { kind, model: null }
    setMakeMode(chatId, next)
    announce(next ? t(`make.${kind}`) : t('make.off'))
    document.getElementById('composer')?.focus()
  }
  useAction('chat.image', () => turn('image'), models.image.length > 0)
  useAction('chat.video', () => turn('video'), models.video.length > 0)
  useAction('chat.speak', () => turn('speech'), models.speech.length > 0)
  if (models.image.length === 0) return null
  return (
    <IconButton
      label={t('make.image')}
      icon={<ImagePlus />}
      tooltipSide="top"
      pressed={mode?.kind === 'image'}
      onClick={() => turn('image')}
    />
  )
}

/** What the next message has made, by which model, and the way back to words. */
export function MakeBar({ chatId, mode, models }: { chatId: string; mode: MakeMode; models: MediaModels }) {
  const t = useText('chat-media')
  const { modelName } = useMediaWords()
  const Icon = icons[mode.kind]
  const model = modelOf(models, mode)
  return (
    <div className="flex items-center gap-2 border-b border-line px-3 py-1.5 text-sm">
      <Icon aria-hidden className="size-4 shrink-0 text-accent-ink" />
      <span className="shrink-0 font-medium">{t(`make.${mode.kind}`)}</span>
      <div className="min-w-0 flex-1">
        <Select
          aria-label={t('make.model')}
          className="w-56 max-w-full"
          value={model ? mediaModelKey(model) : ''}
          options={models[mode.kind].map((one) => ({
            value: mediaModelKey(one),
            label: modelName(one),
          }))}
          onChange={(value) => setMakeMode(chatId, { kind: mode.kind, model: value })}
        />
      </div>
      <IconButton
        label={t('make.cancel')}
        icon={<X />}
        size="small"
        onClick={() => {
          setMakeMode(chatId, null)
          document.getElementById('composer')?.focus()
        }}
      />
    </div>
  )
}

import type { MadeKind } from '@atrium/contract/chat'
import type { MediaModels } from '@atrium/contract/media-gallery'
import { Volume2, Film, ImagePlus, X } from 'lucide-react'
import { useStore } from 'zustand'
import type { DraftBox } from '../../../blocks/composer/draft.ts'
import { ChoiceSelects, CountSelect, ModelSelect } from '../../../blocks/media-choices/choice-selects.tsx'
import { choicesOf, filmPartsOf } from '../../../blocks/media-choices/choices.ts'
import { secondsOf } from '../../../blocks/media-choices/cost.ts'
import { CostNote } from '../../../blocks/media-choices/cost-note.tsx'
import { useAction } from '../../../lib/actions.ts'
import { announce } from '../../../lib/announce.ts'
import { CheckField } from '../../../ui/check-field.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { useText } from 'virtual:words/chat-media'
import { type MakeMode, modelOf, setMakeMode, useMakeMode } from './make-mode.ts'
import { chooseMadeWith, useMadeWith } from './make-options.ts'
import { MaskButton } from './mask-button.tsx'

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

/** What the next message has made, by which model and how, and the way back to words. */
export function MakeBar({
  chatId,
  mode,
  models,
  draft,
}: {
  chatId: string
  mode: MakeMode
  models: MediaModels
  draft: DraftBox
}) {
  const t = useText('chat-media')
  const Icon = icons[mode.kind]
  const { kind } = mode
  const model = modelOf(models, mode)
  const { fields, count } = useMadeWith(chatId, kind, model)
  const choose = (next: Readonly<Record<string, string>>) =>
    chooseMadeWith(chatId, kind, { fields: { ...fields, ...next }, count })
  const choices = model ? choicesOf(kind, model) : []
  const sounds = model && kind === 'video' ? filmPartsOf(model) : null
  const spoken = useStore(draft.store, ({ content }) => (kind === 'speech' ? content.trim() : ''))
  return (
    <div className="flex items-start gap-2 border-b border-line px-3 py-1.5 text-sm">
      <Icon aria-hidden className="mt-2.5 size-4 shrink-0 text-accent-ink" />
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2 max-tab:grid max-tab:grid-cols-2">
        <span className="me-1 font-medium">{t(`make.${kind}`)}</span>
        <ModelSelect
          models={models[kind]}
          model={model}
          className="w-56 max-w-full max-tab:w-full"
          onChoose={(key) => setMakeMode(chatId, { ...mode, model: key })}
        />
        {model && <ChoiceSelects choices={choices} chosen={fields} className="w-36 max-tab:w-full" onChoose={choose} />}
        {model && kind === 'image' && (
          <CountSelect
            model={model}
            count={count}
            onChoose={(next) => chooseMadeWith(chatId, kind, { fields, count: next })}
          />
        )}
        {model && <MaskButton chatId={chatId} mode={mode} model={model} draft={draft} />}
        <CostNote kind={kind} model={model} text={spoken} count={count} seconds={secondsOf(choices, fields)} />
        {sounds?.audio && (
          <CheckField
            label={t('make.sound')}
            checked={fields['generateAudio'] === undefined ? sounds.usualAudio : fields['generateAudio'] === 'true'}
            onChange={(on) => choose({ generateAudio: String(on) })}
          />
        )}
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

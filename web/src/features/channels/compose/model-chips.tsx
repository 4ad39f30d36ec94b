import { X } from 'lucide-react'
import { MakerMark } from '../../../blocks/maker-mark/maker-mark.tsx'
import { makerOfModel } from '../../../blocks/maker-mark/makers.ts'
import { modelKey } from '../../../blocks/models.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { useText } from 'virtual:words/channels'
import type { ChannelDraft, PickedModel } from './draft.ts'

/** The models that answer what is being written, and what they get to see. */
export function ModelChips({ models, draft }: { models: readonly PickedModel[]; draft: ChannelDraft }) {
  const t = useText('channels')
  if (models.length === 0) return null
  return (
    <div className="px-3 pt-3">
      <ul aria-label={t('composer.models')} className="flex flex-wrap gap-2">
        {models.map(({ selection, name }) => (
          <li
            key={modelKey(selection)}
            className="flex max-w-72 items-center gap-1.5 rounded-lg border border-line bg-sunken py-0.5 ps-2 pe-0.5 text-sm"
          >
            <MakerMark maker={makerOfModel(selection, name)} className="size-4.5" />
            <bdi className="truncate">{name}</bdi>
            <IconButton
              label={t('composer.removeModel', { name })}
              icon={<X />}
              size="small"
              tooltipSide="top"
              onClick={() => draft.dropModel(selection)}
            />
          </li>
        ))}
      </ul>
      <p className="pt-1.5 text-xs text-muted">{t('composer.modelsSee')}</p>
    </div>
  )
}

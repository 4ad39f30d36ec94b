import type { Selection } from '@atrium/contract/common'
import { ChevronDown, CircleAlert } from 'lucide-react'
import { prepareModelPicker } from '../../../blocks/model-picker/model-picker.tsx'
import { modelName, useModels, unavailableReason } from '../../../blocks/models.ts'
import { classNames } from '../../../lib/class-names.ts'
import { Tooltip } from '../../../ui/tooltip.tsx'
import { useText } from 'virtual:words/chat-compose'

/** The chosen model; greyed, with the reason, when it is not available. */
export function ModelButton({ selection, onClick }: { selection: Selection | null; onClick: () => void }) {
  const t = useText('chat-compose')
  const models = useModels()
  const why = unavailableReason(models, selection)
  const name = modelName(models, selection) || t('model.choose')
  return (
    <Tooltip text={why ? t(`blocks:models.why.${why}`) : t('model.change')} keys="Mod+Shift+M">
      <button
        type="button"
        onClick={onClick}
        onPointerEnter={prepareModelPicker}
        onFocus={prepareModelPicker}
        aria-haspopup="dialog"
        aria-label={why ? t('model.unavailable', { name }) : t('model.label', { name })}
        className={classNames(
          'flex h-control max-w-[40%] items-center gap-1.5 rounded-md px-2.5 text-base font-medium hover:bg-hover',
          why && 'text-muted',
        )}
      >
        {why && <CircleAlert aria-hidden className="size-4 shrink-0 text-warn-ink" />}
        <bdi className="min-w-0 truncate">{name}</bdi>
        <ChevronDown aria-hidden className="size-3.5 shrink-0 text-muted" />
      </button>
    </Tooltip>
  )
}

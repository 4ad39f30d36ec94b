import type { Model, ModelList } from '@atrium/contract/model-management'
import { usePreferences, savePreferences } from '../../api/account.ts'
import { wordsOf } from '../../api/errors.ts'
import { cx } from '../../lib/cx.ts'
import { size } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toaster.tsx'
import { modelName, sameSelection } from '../models.ts'
import { useText } from '../texts.ts'

/** More about the row one is at, and whether new chats start with it. */
export function PickerFooter({
  model,
  list,
  className,
}: {
  model: Model | undefined
  list: ModelList | undefined
  className?: string
}) {
  const t = useText('blocks')
  const preferences = usePreferences()
  if (!model || !list) return null
  const isDefault = sameSelection(preferences.defaultModel, model.selection)
  const save = (defaultModel: typeof preferences.defaultModel) =>
    void savePreferences({ defaultModel }).catch((error) => toast(wordsOf(error), { tone: 'danger' }))
  return (
    <div
      className={cx('flex items-center gap-3 border-t border-line bg-sunken px-3 py-2 text-xs text-muted', className)}
    >
      <div className="min-w-0 flex-1">
        <p className="truncate">
          <bdi className="font-mono">{model.selection.model}</bdi>
          {model.sizeBytes !== null && ` · ${size(model.sizeBytes)}`}
        </p>
        <p className="truncate">
          {list.fallback
            ? t(`models.because.${list.fallback.because}`, { name: modelName(list, list.fallback.selection) })
            : t('models.noDefault')}
        </p>
      </div>
      <Button size="small" onClick={() => save(isDefault ? null : model.selection)}>
        {isDefault ? t('models.unsetDefault') : t('models.setDefault')}
      </Button>
    </div>
  )
}

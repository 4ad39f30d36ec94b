import type { Model, ModelList } from '@atrium/contract/connections'
import { Link } from '@tanstack/react-router'
import { usePreferences, savePreferences } from '../../api/account.ts'
import { wordsOf } from '../../api/errors.ts'
import { classNames } from '../../lib/class-names.ts'
import { factSeparator, formatNumber, formatSize } from '../../lib/format.ts'
import { links } from '../../lib/links.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toaster.tsx'
import { modelName, sameSelection } from '../models.ts'
import { priceWords } from '../price.ts'
import { hasSpeed, speedWords } from '../speed.ts'
import { useText } from 'virtual:words/blocks'

/** More about the row one is at, whether new chats start with it, and where the models are that are not in the list. */
export function PickerFooter({
  model,
  list,
  onClose,
}: {
  model: Model | undefined
  list: ModelList | undefined
  onClose: () => void
}) {
  const t = useText('blocks')
  const preferences = usePreferences()
  if (!list) return null
  const isDefault = model !== undefined && sameSelection(preferences.defaultModel, model.selection)
  const save = (defaultModel: typeof preferences.defaultModel) =>
    void savePreferences({ defaultModel }).catch((error) => toast(wordsOf(error), { tone: 'danger' }))
  const speeds = list.items.some(hasSpeed)
  const facts = model && [
    model.contextWindow === null
      ? t('models.windowUnknown')
      : t('models.windowFull', { tokens: formatNumber(model.contextWindow) }),
    model.price && t('models.perMillion', { price: priceWords(t, model.price) }),
    model.sizeBytes !== null && formatSize(model.sizeBytes),
    model.local && t('models.stays'),
  ]
  return (
    <div
      className={classNames(
        'flex items-center gap-x-3 gap-y-1.5 border-t border-line bg-sunken px-3 py-2 text-xs text-muted max-tab:flex-wrap',
        speeds ? 'min-h-24' : 'min-h-20',
      )}
    >
      <div className="flex min-w-0 flex-1 flex-col gap-0.5 max-tab:basis-full">
        {model && facts && (
          <p className="truncate max-tab:whitespace-normal">
            <bdi dir="ltr" className="font-mono text-ink">
              {model.selection.model}
            </bdi>{' '}
            · {facts.filter(Boolean).join(factSeparator())}
          </p>
        )}
        {model && speeds && (
          <p className="truncate max-tab:min-h-8 max-tab:whitespace-normal">{speedWords(t, model)}</p>
        )}
        <p className="truncate">
          {list.fallback
            ? t(`models.because.${list.fallback.because}`, { name: modelName(list, list.fallback.selection) })
            : t('models.noDefault')}
        </p>
        <p className="truncate">
          {t('models.otherKinds')}{' '}
          <Link
            to={links.settings('connections')}
            onClick={onClose}
            className="font-medium text-accent-ink underline underline-offset-2"
          >
            {t('models.otherKindsLink')}
          </Link>
        </p>
      </div>
      {model && (
        <Button size="small" onClick={() => save(isDefault ? null : model.selection)}>
          {isDefault ? t('models.unsetDefault') : t('models.setDefault')}
        </Button>
      )}
    </div>
  )
}

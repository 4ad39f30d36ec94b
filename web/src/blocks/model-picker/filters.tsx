import type { ModelList } from '@atrium/contract/connections'
import { X } from 'lucide-react'
import { classNames } from '../../lib/class-names.ts'
import { providerKey } from '../models.ts'
import { useText } from 'virtual:words/blocks'
import { type ModelFeature, featuresOffered } from './search.ts'

/** What a model must be able to do; the chosen section stands here too, so that it can be taken away while searching. */
export function Filters({
  features,
  onChange,
  section,
  onSection,
  list,
}: {
  features: readonly ModelFeature[]
  onChange: (features: readonly ModelFeature[]) => void
  section: string
  onSection: (section: string) => void
  list: ModelList | undefined
}) {
  const t = useText('blocks')
  const provider = list?.providers.find((other) => providerKey(other) === section)
  const name = provider?.name ?? (section === 'all' ? '' : t(`models.${section}`))
  return (
    <div role="group" aria-label={t('models.filters')} className="flex flex-wrap gap-1.5">
      {name && (
        <button
          type="button"
          aria-label={t('models.anySection', { name })}
          onClick={() => onSection('all')}
          className={classNames(chip, 'border-accent-line bg-accent-soft text-accent-ink')}
        >
          {name}
          <X aria-hidden className="size-3" />
        </button>
      )}
      {featuresOffered(list?.items ?? []).map((feature) => {
        const on = features.includes(feature)
        return (
          <button
            key={feature}
            type="button"
            aria-pressed={on}
            onClick={() => onChange(on ? features.filter((other) => other !== feature) : [...features, feature])}
            className={classNames(
              chip,
              on ? 'border-accent-line bg-accent-soft text-accent-ink' : 'border-line text-muted hover:bg-hover',
            )}
          >
            {t(`models.feature.${feature}`)}
          </button>
        )
      })}
    </div>
  )
}

const chip = 'hit inline-flex h-6 items-center gap-1 rounded-full border px-2.5 text-xs font-medium'

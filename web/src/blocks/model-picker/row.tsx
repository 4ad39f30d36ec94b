import type { Model } from '@atrium/contract/model-management'
import { Brain, Check, Eye, HardDrive, Star, Wrench } from 'lucide-react'
import { cx } from '../../lib/cx.ts'
import { number } from '../../lib/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { useText } from '../texts.ts'

const icons = { vision: Eye, tools: Wrench, thinking: Brain } as const

/** One model: name, provider, what it can do, how much it reads, and the star. */
export function ModelRow({
  model,
  place,
  ids,
  chosen,
  starred,
  active,
  onPick,
  onStar,
  onHover,
}: {
  model: Model
  place: { index: number; count: number; top: number; height: number }
  ids: { model: string; star: string }
  chosen: boolean
  starred: boolean
  active: 'model' | 'star' | null
  onPick: () => void
  onStar: () => void
  onHover: () => void
}) {
  const t = useText('blocks')
  return (
    <div
      role="row"
      aria-rowindex={place.index + 1}
      aria-selected={chosen}
      onPointerMove={active ? undefined : onHover}
      className={cx('absolute inset-x-0 flex items-center rounded-md', active && 'bg-hover')}
      style={{ top: place.top, height: place.height }}
    >
      <div role="gridcell" id={ids.model} className="min-w-0 flex-1 self-stretch">
        <button
          type="button"
          tabIndex={-1}
          onClick={onPick}
          className={cx(
            'flex size-full items-center gap-2.5 rounded-md px-2.5 text-start',
            active === 'model' && 'outline-2 -outline-offset-2 outline-accent-line',
          )}
        >
          <span className="grid w-4 shrink-0 place-items-center">
            {chosen && <Check className="size-4 text-accent-ink" aria-label={t('models.chosen')} />}
          </span>
          <span className="min-w-0 flex-1">
            <span className="block truncate font-medium">
              <bdi>{model.name}</bdi>
            </span>
            <span className="flex items-center gap-2.5 overflow-hidden text-xs whitespace-nowrap text-muted">
              {model.features.map((feature) => {
                const Icon = icons[feature]
                return (
                  <span key={feature} className="inline-flex items-center gap-1">
                    <Icon aria-hidden className="size-3" />
                    {t(`models.feature.${feature}`)}
                  </span>
                )
              })}
              {model.local && (
                <span className="inline-flex items-center gap-1">
                  <HardDrive aria-hidden className="size-3" />
                  {t('models.feature.local')}
                </span>
              )}
              {model.contextWindow !== null && (
                <span className="truncate">{t('models.window', { tokens: tokens(model.contextWindow) })}</span>
              )}
            </span>
          </span>
          <Badge className="max-w-32 [&]:inline-block truncate leading-5">{model.providerName}</Badge>
        </button>
      </div>
      <div role="gridcell" id={ids.star}>
        <button
          type="button"
          tabIndex={-1}
          aria-label={starred ? t('models.unstar', { name: model.name }) : t('models.star', { name: model.name })}
          aria-pressed={starred}
          onClick={onStar}
          className={cx(
            'hit grid size-8 place-items-center rounded-md hover:bg-pressed',
            starred ? 'text-accent-ink' : 'text-faint',
            active === 'star' && 'outline-2 -outline-offset-2 outline-accent-line',
          )}
        >
          <Star className={cx('size-4', starred && 'fill-current')} aria-hidden />
        </button>
      </div>
    </div>
  )
}

/** `128k`, `1M` */
export const tokens = (count: number): string =>
  number(count, { notation: 'compact', maximumFractionDigits: count < 10_000 ? 1 : 0 })

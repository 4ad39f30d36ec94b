import type { Model } from '@atrium/contract/connections'
import { Brain, Check, Eye, EyeOff, HardDrive, ThumbsUp, Wrench } from 'lucide-react'
import { classNames } from '../../lib/class-names.ts'
import { formatNumber } from '../../lib/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { MakerMark } from '../maker-mark/maker-mark.tsx'
import { makerOfModel } from '../maker-mark/makers.ts'
import { priceWords } from '../price.ts'
import { formatSeconds } from '../speed.ts'
import { useText } from 'virtual:words/blocks'
import { StarCell } from './star.tsx'

const icons = {
  starred: ThumbsUp,
  hidden: EyeOff,
  vision: Eye,
  tools: Wrench,
  thinking: Brain,
  local: HardDrive,
} as const

/** What is said of a model, what the instance says of it first. */
const marksOf = (model: Model): (keyof typeof icons)[] => [
  ...(model.starred ? (['starred'] as const) : []),
  ...(model.hidden ? (['hidden'] as const) : []),
  ...model.features,
  ...(model.local ? (['local'] as const) : []),
]

/** One model: name, provider, what it can do, how much it reads, what it costs, how soon it begins, and the star. */
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
  const comma = <span className="sr-only">{t('models.comma')}</span>
  return (
    <div
      role="row"
      aria-rowindex={place.index + 1}
      aria-selected={chosen}
      onPointerMove={active ? undefined : onHover}
      className={classNames(
        'absolute inset-x-0 flex items-center rounded-md',
        active && 'bg-hover',
        active === 'model' && 'outline-2 -outline-offset-2 outline-accent-line',
      )}
      style={{ top: place.top, height: place.height }}
    >
      <div role="gridcell" id={ids.model} className="min-w-0 flex-1 self-stretch">
        <button
          type="button"
          tabIndex={-1}
          onClick={onPick}
          className="flex size-full items-center gap-2.5 rounded-md px-2.5 text-start"
        >
          <span className="grid w-4 shrink-0 place-items-center">
            {chosen && <Check aria-hidden className="size-4 text-accent-ink" />}
          </span>
          <MakerMark maker={makerOfModel(model.selection, model.providerName)} className="size-6" />
          {/* Read in this order: name, provider, abilities; seen with the provider at the end. */}
          <span className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-2.5">
            <span className="flex items-baseline gap-2">
              <span dir="auto" className="truncate font-medium">
                {model.name}
              </span>
              {/* Beside the name, where no narrow screen cuts it off; spoken last. */}
              {model.firstTokenMs !== null && (
                <span aria-hidden className="shrink-0 text-xs text-muted">
                  {t('models.about', { seconds: formatSeconds(model.firstTokenMs) })}
                </span>
              )}
            </span>
            <span className="row-span-2 grid place-items-center">
              <span className="sr-only">
                {t('models.comma')}
                {t('models.from')}{' '}
              </span>
              <Badge className="max-w-32 truncate border border-line leading-5 [&]:inline-block">
                {model.providerName}
              </Badge>
            </span>
            {/* What has no room is left out whole. */}
            <span className="flex h-4 flex-wrap items-center gap-x-2.5 gap-y-1 overflow-hidden text-xs whitespace-nowrap text-muted">
              {marksOf(model).map((feature) => {
                const Icon = icons[feature]
                return (
                  <span key={feature} className="inline-flex items-center gap-1">
                    {comma}
                    <Icon aria-hidden className="size-3" />
                    {t(`models.feature.${feature}`)}
                  </span>
                )
              })}
              {model.contextWindow !== null && (
                <span>
                  {comma}
                  {t('models.window', { tokens: formatTokens(model.contextWindow) })}
                </span>
              )}
              {model.price && (
                <span className="truncate">
                  {comma}
                  {priceWords(t, model.price)}
                </span>
              )}
              {model.firstTokenMs !== null && (
                <span className="sr-only">
                  {t('models.comma')}
                  {t('models.begins', { seconds: formatSeconds(model.firstTokenMs) })}
                </span>
              )}
            </span>
          </span>
          <span className="sr-only">
            {starred && t('models.comma') + t('models.favourite')}
            {chosen && t('models.comma') + t('models.chosen')}
            {t('models.comma')}
            {t('models.place', { index: place.index + 1, count: place.count })}
          </span>
        </button>
      </div>
      <StarCell id={ids.star} name={model.name} starred={starred} active={active === 'star'} onStar={onStar} />
    </div>
  )
}

/** `128k`, `1M` */
export const formatTokens = (count: number): string =>
  formatNumber(count, { notation: 'compact', maximumFractionDigits: count < 10_000 ? 1 : 0 })

/** How fast models are on this server and how often they fail, in the words of `blocks`. */
import type { Model } from '@atrium/contract/connections'
import 'virtual:words/blocks'
import { factSeparator, formatNumber } from '../lib/format.ts'
import type { Translate } from '../lib/texts.ts'

type Figures = Pick<Model, 'firstTokenMs' | 'errorShare'>

export const hasSpeed = ({ firstTokenMs, errorShare }: Figures): boolean => firstTokenMs !== null || errorShare !== null

/** `0.4`, `12`: as exact as a person cares. */
export const formatSeconds = (ms: number): string =>
  formatNumber(Math.max(ms, 10) / 1000, { maximumFractionDigits: ms < 95 ? 2 : ms < 9500 ? 1 : 0 })

/** When it usually begins, and how many calls failed lately; says so where neither is known. */
export function speedWords(t: Translate, model: Figures): string {
  const parts = [
    model.firstTokenMs !== null && t('blocks:models.begins', { seconds: formatSeconds(model.firstTokenMs) }),
    model.errorShare !== null &&
      (model.errorShare === 0
        ? t('blocks:models.noneFailed')
        : t('blocks:models.failed', { share: percent(model.errorShare) })),
  ].filter(Boolean)
  return parts.length > 0 ? parts.join(factSeparator()) : t('blocks:models.speedUnknown')
}

const percent = (share: number) =>
  formatNumber(Math.max(share, 0.001), { style: 'percent', maximumFractionDigits: share < 0.0995 ? 1 : 0 })

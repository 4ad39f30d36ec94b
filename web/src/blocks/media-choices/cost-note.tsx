import type { MediaModel } from '@atrium/contract/media-gallery'
import { formatMoney } from '../../lib/format.ts'
import { useText } from 'virtual:words/media-choices'
import type { MakeKind } from './choices.ts'
import { costOf } from './cost.ts'

/** What it will cost to make this; nothing where nobody knows. */
export function CostNote({
  kind,
  model,
  text,
  count,
  seconds = null,
}: {
  kind: MakeKind
  model: MediaModel | undefined
  /** What is spoken. */
  text: string
  count: number
  /** Of a film. */
  seconds?: number | null
}) {
  const t = useText('media-choices')
  const cost = model ? costOf(kind, model, { text, count, seconds }) : null
  if (!cost) return null
  return (
    <span className="text-sm whitespace-nowrap text-muted">
      {t('cost', { cost: formatMoney(cost.amount, cost.currency) })}
    </span>
  )
}

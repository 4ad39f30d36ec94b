import type { ModelPrice } from '@atrium/contract/connections'
import 'virtual:words/blocks'
import { formatNumber } from '../lib/format.ts'
import type { Translate } from '../lib/texts.ts'

/** `$0.15 in, $0.60 out`: per million tokens, in the words of `blocks`. */
export function priceWords(t: Translate, { input, output }: ModelPrice): string {
  const parts = [
    input !== null && t('blocks:models.priceIn', { price: dollars(input) }),
    output !== null && t('blocks:models.priceOut', { price: dollars(output) }),
  ]
  return parts.filter(Boolean).join(t('blocks:models.comma'))
}
const dollars = (value: number) => formatNumber(value, { style: 'currency', currency: 'USD', maximumFractionDigits: 3 })

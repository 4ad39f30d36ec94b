/** Figures in words of the language on screen. */
import { formatMoney, formatNumber } from '../../lib/format.ts'
import { i18n, type Translate } from '../../lib/texts.ts'

/** `1.2 M` for cards, where there is little room. */
export const formatCompact = (value: number): string =>
  formatNumber(value, value < 10_000 ? {} : { notation: 'compact', maximumFractionDigits: 1 })

export const formatPercent = (share: number): string =>
  formatNumber(share, {
    style: 'percent',
    // Nearly all is not all, and hardly any is not none.
    maximumFractionDigits: (share > 0 && share < 0.1) || (share > 0.99 && share < 1) ? 1 : 0,
  })

/** A day of a calendar, wherever one is: `12 Nov 2026`. */
export const calendarDay = (day: string, options: Intl.DateTimeFormatOptions = {}): string =>
  new Intl.DateTimeFormat(i18n.language, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
    ...options,
  }).format(new Date(`${day}T00:00:00Z`))

/** The amount of a budget, or what is left of it. */
export const amountOf = (unit: 'money' | 'tokens', amount: string, currency: string, t: Translate): string => {
  const count = Number(amount)
  return unit === 'money' ? formatMoney(amount, currency) : t('budget.tokens', { count, amount: formatNumber(count) })
}

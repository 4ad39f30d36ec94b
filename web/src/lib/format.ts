/** Times, numbers and sizes in words of the language on screen. */
import type { Language } from '@atrium/contract/languages'
import { i18n } from './texts.ts'

let timeZone: string | undefined

/** In which zone times are written from now on; undefined: that of the browser. */
export function showTimesIn(zone: string | undefined): void {
  timeZone = zone
}

/** How times are written here, for whoever writes them elsewhere. */
export const writtenHere = () => ({
  language: i18n.language as Language,
  timeZone: timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
})

/** `14:02`. */
export const formatTime = (time: string | number): string => date(time, { hour: 'numeric', minute: '2-digit' })

/** `14:02:31`. */
export const formatClock = (time: string | number): string => date(time, { timeStyle: 'medium' })

/** `12 Nov 2026`. */
export const formatDay = (time: string | number): string =>
  date(time, { day: 'numeric', month: 'short', year: 'numeric' })

/** `12 Nov 2026, 14:02`. */
export const formatDateTime = (time: string | number): string => date(time, { dateStyle: 'medium', timeStyle: 'short' })

/** `3 hours ago`, `in 29 days`, `now`. */
export function formatAgo(time: string | number, now: number = Date.now()): string {
  const seconds = (new Date(time).getTime() - now) / 1000
  const format = new Intl.RelativeTimeFormat(i18n.language, { numeric: 'auto' })
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length || unit === 'second') {
      return format.format(unit === 'second' ? 0 : Math.round(seconds / length), unit)
    }
  }
  return ''
}

/** `12,480` */
export const formatNumber = (value: number, options?: Intl.NumberFormatOptions): string =>
  new Intl.NumberFormat(i18n.language, options).format(value)

/** `820 ms`, `1.4 s`, `2.5 min`. */
export function formatDuration(ms: number): string {
  const unit = ms < 1000 ? 'millisecond' : ms < 120_000 ? 'second' : 'minute'
  const value = ms / { millisecond: 1, second: 1000, minute: 60_000 }[unit]
  const digits = unit === 'millisecond' || value >= 100 ? 0 : 1
  const text = formatNumber(value, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: digits })
  // A number and its unit stay in one line.
  return text.replaceAll(' ', '\u00a0')
}

/** `3 days, 4 hours`: the two largest units of a long time, in whole numbers. */
export function formatSpan(ms: number): string {
  const unit = spans.findIndex(([, length]) => ms >= length)
  if (unit === -1) return formatNumber(0, { style: 'unit', unit: 'second', unitDisplay: 'long' })
  let rest = ms
  const parts = spans.slice(unit, unit + 2).map(([name, length]) => {
    const value = Math.floor(rest / length)
    rest -= value * length
    return value === 0 ? '' : formatNumber(value, { style: 'unit', unit: name, unitDisplay: 'long' })
  })
  return formatList(parts.filter((part) => part !== ''))
}

/** `Ann, Ben`. */
export const formatList = (words: readonly string[]): string =>
  new Intl.ListFormat(i18n.language, { type: 'unit' }).format(words)

/** `$0.0042`: small amounts keep the places that say something. Amounts come as decimal words. */
export function formatMoney(amount: string, currency: string): string {
  const value = Number(amount)
  const places = value === 0 || value >= 1 ? 2 : Math.min(9, 2 + Math.max(0, Math.ceil(-Math.log10(value))))
  const options = { style: 'currency', currency, minimumFractionDigits: 2, maximumFractionDigits: places } as const
  if (i18n.direction === 'ltr') return formatNumber(value, options)
  // In a line from right to left the sign of `US$` would leave its letters.
  const parts = new Intl.NumberFormat(i18n.language, options).formatToParts(value)
  return parts.map(({ type, value: part }) => (type === 'currency' ? `\u2066${part}\u2069` : part)).join('')
}

/**
 * Between facts in a row, as in `PDF · 1.2 kB`. In a line from right to left a figure after a Latin word would be drawn
 * to that word; a mark of the direction keeps it with its own fact.
 */
export const factSeparator = (): string => (i18n.direction === 'rtl' ? ' \u200f·\u200f ' : ' · ')

/** `184 bytes`, `4.1 GB`: decimal, as disks and providers count. */
export function formatSize(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(4, Math.floor(Math.log10(bytes) / 3))
  const unit = (['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const)[step]
  const value = bytes / 1000 ** step
  return formatNumber(value, {
    style: 'unit',
    unit,
    // The short form of a byte has no plural in English.
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 10 && step > 0 ? 1 : 0,
  })
}

const date = (time: string | number, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(i18n.language, { timeZone, ...options }).format(new Date(time))

const spans = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

const units = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const
